// The state to take away: texts to copy, files to save.
import {command, csv, json, python} from "../../core/explorer/take.mjs";
import {copied} from "../clipboard.mjs";
import {all, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {saves} from "../saves.mjs";

/** What each file holds, and its type. */
const FILES = {json: [json, "application/json"], csv: [csv, "text/csv"]};

export function take(root, store, {link, isFramed, chart}) {
  const write = slots(root, "[data-text]");
  const links = all(root, "[data-file]"), place = root.querySelector(".file");
  let shown = null;   // the state that is written

  root.querySelector(".pictures").append(...saves(chart, store, ["svg", "png"]));
  root.querySelector("[data-act=print]").addEventListener("click", () => print());
  for (const button of all(root, "[data-copy]")) button.addEventListener("click", () => copy(button));

  async function copy(button) {
    const text = root.querySelector(`[data-text="${button.dataset.copy}"]`).textContent;
    if (await copied(button, text, "Copy")) return;
    note(root, "This page may not write to the clipboard here: select the text, and copy it by hand.");
  }

  // Made when they are asked for: as long as nobody saves them, nothing is written.
  for (const each of links) {
    const [contents, type] = FILES[each.dataset.file];
    each.href = "#";
    each.addEventListener("click", () => {
      const content = contents(store.report);
      URL.revokeObjectURL(each.href);
      each.href = URL.createObjectURL(new Blob([content], {type}));
      // Whether a frame may save files it is not told.
      place.hidden = !isFramed;
      if (isFramed) write({file: content});
    });
  }

  return {
    show({state}) {
      const title = chart().querySelector(".axis").textContent;
      if (state !== shown) place.hidden = true;
      shown = state;
      write({link: link(), python: python(state), command: command(state), chart: title});
    },
  };
}
