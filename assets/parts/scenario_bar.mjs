// The scenario bar: what is in use, each piece with a sheet that opens to change it.
import {scenarioBar as texts} from "../core/words/scenario_bar.mjs";
import {controls} from "./controls.mjs";
import {all, slots} from "./dom.mjs";
import {note} from "./notes.mjs";
import {mark} from "./terms.mjs";

/** So long after a touch the mouse events come that browsers make of it. [ms] */
const TAP_MS = 400;

export function scenarioBar(root, store) {
  const form = controls(root, store);
  const write = slots(root, ".opener [data-text], .assumptions [data-text]");
  const assumed = root.querySelector('[data-text="assumed"]');
  const sheets = all(root, "[popover]");
  const fine = matchMedia("(pointer: fine)");
  let inLab = false;
  const firstOf = sheet => sheet.querySelector(".search:enabled") ?? sheet.querySelector("input:enabled");
  const openerOf = sheet => root.querySelector(`[popovertarget="${sheet.id}"]`);

  for (const sheet of sheets) {
    sheet.addEventListener("beforetoggle", ({newState, target}) => {
      if (target !== sheet || newState !== "open") return;
      store.settle();
      const {left, bottom} = openerOf(sheet).getBoundingClientRect();
      sheet.style.setProperty("--left", `${left + scrollX}px`);
      sheet.style.setProperty("--top", `${bottom + scrollY}px`);
      // The keyboard comes in with the opening, so that what is typed at once is not lost; but not
      // a screen's keyboard, which would cover the sheet.
      for (const each of all(sheet, "[autofocus]")) each.autofocus = false;
      if (sheet.matches(".sheet") && fine.matches) firstOf(sheet)?.setAttribute("autofocus", "");
    });
    sheet.addEventListener("toggle", ({newState}) => {
      const open = newState === "open";
      cover();
      // What was refused as the sheet was left is not to be read in it.
      const wrong = all(sheet, ".error").map(each => each.textContent).filter(Boolean);
      if (!open && wrong.length) note(root, wrong.join(" "));
      // A frame that is as high as its content has to grow for a sheet that is higher.
      document.body.style.minHeight = open ? `${sheet.getBoundingClientRect().bottom + scrollY}px` : "";
    });
  }

  // While a sheet is open, a press beside it is none on what lies there.
  let uncovering = 0;

  function cover() {
    clearTimeout(uncovering);
    if (root.querySelector(":popover-open")) document.body.classList.add("covered");
    else uncovering = setTimeout(() => document.body.classList.remove("covered"), TAP_MS);
  }

  // What was chosen is enough, unless more can be said of it now.
  root.addEventListener("pick", ({target}) => {
    form.show(store);
    const sheet = target.closest("[popover]");
    const more = all(sheet, "[data-own]").find(each => !each.hidden);
    if (more) more.querySelector("input").focus();
    else sheet.hidePopover();
  });

  return {
    show(store) {
      // While a control elsewhere moves, nobody sees what closed sheets have.
      if (!store.moving || sheets.some(sheet => sheet.matches(":popover-open"))) form.show(store);
      write(texts(store.state, store.report, inLab));
      if (!store.moving) mark(assumed);
    },
    /** As the page is to be shown: its locks, and none of it where no piece is there. */
    present({lock, view}) {
      inLab = view === "lab";
      form.present({lock});
      for (const sheet of sheets) {
        const keys = all(sheet, "[data-control]").map(each => each.dataset.control);
        openerOf(sheet).disabled = keys.every(key => lock.includes(key));
      }
      root.hidden = all(root, "[data-part]").every(each => each.hidden);
    },
  };
}
