// What comes out of both replays in all, side by side.
import {times} from "../../core/words/format.mjs";
import {TOTALS} from "../../core/words/lab.mjs";
import {headedRow} from "../table.mjs";

/** @param {HTMLElement} root of the table's rows */
export function totals(root) {
  return {
    show([first, second]) {
      root.replaceChildren(...TOTALS.map(([title, text, value]) => {
        const ratio = value(second.totals) / value(first.totals);
        const shown = Number.isFinite(ratio) && ratio > 0 ? times(ratio) : "–";
        return headedRow(title, text(first.totals), text(second.totals), shown);
      }));
    },
  };
}
