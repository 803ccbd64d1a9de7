// What a request takes and costs, and what its GPUs spend their time on.
import {rows, sentence} from "../../core/words/cost.mjs";
import {controls} from "../controls.mjs";
import {slots} from "../dom.mjs";
import {fillRow, headedRow} from "../table.mjs";

export function cost(root, store) {
  const form = controls(root.querySelector(".entries"), store);
  const body = root.querySelector(".costs tbody"), write = slots(root, ".said");
  const lines = new Map();   // by what they are of
  let rate = 0, inHost = 0;

  function row(what) {
    if (!lines.has(what)) {
      lines.set(what, headedRow(what, "", ""));
      body.append(lines.get(what));
    }
    return lines.get(what);
  }

  return {
    show(store) {
      form.show(store);
      for (const [what, ...texts] of rows(store.report, rate, inHost)) fillRow(row(what), texts);
      write({said: sentence(store.report)});
    },
    present(look) {
      rate = Number(look.settings.load);
      inHost = Number(look.settings.host) / 100;
      form.present(look);
    },
  };
}
