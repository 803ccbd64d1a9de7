// What a request takes and costs, and what its GPUs spend their time on.
import {rows, sentence} from "../../core/words/cost.mjs";
import {controls} from "../controls.mjs";
import {slots} from "../dom.mjs";
import {headedRow} from "../table.mjs";

export function cost(root, store) {
  const form = controls(root.querySelector(".entries"), store);
  const body = root.querySelector(".costs tbody"), write = slots(root, ".said");
  const places = new Map();   // of each row's amount and note, by what it is of
  let rate = 0;

  function cells(what) {
    if (!places.has(what)) {
      const row = headedRow(what, "", "");
      body.append(row);
      places.set(what, [...row.cells].slice(1));
    }
    return places.get(what);
  }

  return {
    show(store) {
      form.show(store);
      for (const [what, ...texts] of rows(store.report, rate)) {
        cells(what).forEach((place, i) => { if (place.textContent !== texts[i]) place.textContent = texts[i]; });
      }
      write({said: sentence(store.report)});
    },
    present(look) {
      rate = Number(look.settings.load);
      form.present(look);
    },
  };
}
