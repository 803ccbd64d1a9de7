// The two sets of assumptions side by side, each of them to be changed.
import {assumed as texts, isChanged} from "../../core/words/assumed.mjs";
import {controls} from "../controls.mjs";
import {all, slots} from "../dom.mjs";

export function assumed(root, store) {
  const form = controls(root.querySelector("form"), store);
  const rows = all(root, "[data-row]"), write = slots(root, ".said, td[data-text]");

  return {
    show(store) {
      form.show(store);
      write(texts(store.state, store.report));
      for (const row of rows) row.classList.toggle("changed", isChanged(row.dataset.row, store.state));
    },
    present(look) {
      form.present(look);
    },
  };
}
