// The card of an exercise over the widget: one of its faces, where one is, and the ways on.
import {beside, stepsLeft} from "../../core/run.mjs";
import {memoryUnit} from "../../core/words/format.mjs";
import {adopt} from "../dom.mjs";
import {track} from "./track.mjs";

const FACES = ["asking", "answered", "summary"];

/**
 * @param {HTMLElement} main where it is put first
 * @param {string} css
 * @param {string} html
 */
export function exerciseCard(main, css, html) {
  const dropSheet = adopt(css);
  const faces = document.createRange().createContextualFragment(html);
  const [root, veil, bar] = [".exercise", ".lab-veil", ".step-bar"].map(each => faces.querySelector(each));
  main.prepend(root, veil);
  main.after(bar);
  const place = name => root.querySelector(`.${name}`);
  const progress = track(place("track"));
  let write, unit = null;   // what writes the texts that are read now, and their unit of memory

  /** What is to be read, now and whenever memory has another unit. */
  function tell(texts) {
    [write, unit] = [texts, memoryUnit()];
    write();
  }

  return {
    root,
    bar,
    place,
    tell,

    /** As the page is to be shown: in its unit of memory. */
    present() {
      if (memoryUnit() !== unit) tell(write);
    },

    /** Turn to a face, of the item that one is at, or was before the summary. */
    turn(name, where, items, run, at) {
      for (const each of FACES) place(each).hidden = each !== name;
      const isReplayed = name !== "summary" && Boolean(items[at].lab);
      root.classList.toggle("replayed", isReplayed);
      veil.hidden = !isReplayed || name !== "asking";
      place("where").textContent = where;
      progress.show(items, run, name === "summary" ? -1 : at);
      place("started-over").hidden = true;
      place("begin").hidden = at > 0 || items.length === 1;
      place("previous").hidden = !beside(items, run, at, -1);
      place("skip-this").hidden = name !== "asking";
    },

    /** The way on, which says what it leaves behind. */
    offerNext(items, run, at) {
      const item = beside(items, run, at, 1), isSkip = stepsLeft(run, items[at]) > 0;
      const way = !item ? "Summary" : item.test && !items[at].test ? "To the test" : "Next";
      place("next").textContent = isSkip ? `${way}, without the steps` : way;
      place("next").classList.toggle("primary", !isSkip);
      place("next").classList.toggle("secondary", isSkip);
    },

    /** The keyboard, and the eye, to where it goes on. */
    lead(to) {
      to.focus();
      if (root.getBoundingClientRect().top < 0) root.scrollIntoView();
    },

    close() {
      for (const each of [root, veil, bar]) each.remove();
      dropSheet();
    },
  };
}
