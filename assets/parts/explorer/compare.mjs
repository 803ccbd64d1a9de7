// A scenario that is pinned as A beside the present one, B: what differs, what that does, both curves.
import {compare as comparison} from "../../core/explorer/compare.mjs";
import {scenarioText} from "../../core/scenario_text.mjs";
import {UNPINNED, alone, differenceRows, quantityRows, sentence} from "../../core/words/compare.mjs";
import {scenarioBar} from "../../core/words/scenario_bar.mjs";
import {element, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {headedRow} from "../table.mjs";
import {sweep} from "./sweep.mjs";

/** A quantity's row; its unit stands once, beside its name. @param {string[]} texts */
function quantityRow([what, unit, ...cells]) {
  const row = headedRow(what, ...cells);
  if (unit) row.cells[0].append(" ", element("span", unit));
  return row;
}

export function compare(root, store, {choose}) {
  const [pin, swap, clear] = ["pin", "swap", "clear"].map(act => root.querySelector(`[data-act="${act}"]`));
  const [differences, amounts] = ["differences", "amounts"].map(name => root.querySelector(`table.${name}`));
  const write = slots(root, "[data-text=pinned], [data-text=compared], [data-text=alone]");
  const curves = sweep(root.querySelector(".swept"), store);
  let pinned = null;
  let swapped = null;   // what was A and what was B before they were swapped, while Undo leads there

  pin.addEventListener("click", () => choose({a: scenarioText(store.state)}));
  clear.addEventListener("click", () => {
    choose({a: ""});
    pin.focus();
  });
  swap.addEventListener("click", () => {
    const before = {a: scenarioText(pinned.state), b: scenarioText(store.state)};
    const wrong = store.choose(pinned.state, "set");
    if (wrong) return void note(root, wrong);
    swapped = before;
    choose({a: before.b});
  });

  /** Undo takes back a swap as a whole. */
  function follow() {
    if (!swapped || store.moved === "set") return;
    const {a, b} = swapped;
    swapped = null;
    if (store.moved === "undo" && scenarioText(store.state) === b) choose({a});
  }

  return {
    show(store) {
      follow();
      const {state, report} = store, b = {state, report};
      curves.show(store);
      if (!pinned) return void write({pinned: "", compared: UNPINNED});
      const found = comparison(pinned, b), keys = found.differences.flatMap(each => each.keys);
      swap.disabled = !keys.length || store.lockComplaint(pinned.state) !== "";
      write({
        pinned: `A: ${scenarioBar(pinned.state, pinned.report, false).scenario}`,
        compared: sentence(pinned, b, found),
        alone: alone(found),
      });
      differences.hidden = !keys.length;
      differences.tBodies[0].replaceChildren(...differenceRows(pinned, b, found).map(row => headedRow(...row)));
      amounts.tBodies[0].replaceChildren(...quantityRows(pinned, b).map(quantityRow));
    },
    present(look) {
      ({pinned} = look);
      root.classList.toggle("pinned", pinned !== null);
      for (const each of [differences, amounts, swap, clear]) each.hidden = !pinned;
      pin.textContent = pinned ? "Pin this as A" : "Pin as A";
      curves.present(look);
    },
    connect: curves.connect,
  };
}
