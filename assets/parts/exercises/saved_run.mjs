// The reader's run: there as long as the page is open, and kept in the browser where that is wanted.
// The same box stands in several places, and says whether anything is kept.
import {freshRun, joined, savedRun} from "../../core/run.mjs";
import {all} from "../dom.mjs";

/** However often the exercises are left; and whether it is kept. */
let run = freshRun(), isKept = false;

export function keeping(root, course) {
  const key = `decode-arithmetic exercises ${course.id}`;   // pages of other courses may have the same origin
  const boxes = all(root, ".keeping input"), refused = all(root, ".refused");

  for (const box of boxes) {
    box.addEventListener("change", () => {
      if (box.checked) keep();
      else drop();
    });
  }

  function tick(yes) {
    isKept = yes;
    for (const box of boxes) box.checked = yes;
  }

  function tell(text) {
    for (const each of refused) each.textContent = text;
  }

  /** Go on from what other pages have kept meanwhile. */
  function catchUp() {
    try {
      const text = localStorage.getItem(key);
      run = joined(run, savedRun(text, course), isKept);
      tick(text !== null);
    } catch {
      // no storage in a frame without permission
    }
  }

  function keep() {
    catchUp();
    tick(true);
    write();
  }

  function write() {
    try {
      localStorage.setItem(key, JSON.stringify(run));
      tell("");
    } catch {
      tick(false);
      tell("This browser keeps nothing here: the exercises go on without.");
    }
  }

  function drop() {
    tick(false);
    tell("");
    try {
      localStorage.removeItem(key);
    } catch {
      // nothing was kept
    }
  }

  /** Another page has begun to keep what this one is to go on with, or has dropped it. */
  function hear({key: changed}) {
    if (changed !== key && changed !== null) return;
    const wasKept = isKept;
    catchUp();
    if (isKept && !wasKept) write();
  }

  /** Let a run be made of the present one; of more than one page, each goes on from the others. */
  function look(make) {
    catchUp();
    run = make(run);
  }

  addEventListener("storage", hear);
  catchUp();

  return {
    get run() { return run; },

    /** Without keeping it: the reader has done nothing yet. */
    look,

    change(make) {
      look(make);
      if (isKept) write();
    },

    close() {
      removeEventListener("storage", hear);
    },
  };
}
