// Progress, kept in the browser where the reader wants that; the same box stands in several places.
import {all} from "./dom.mjs";

const KEPT = "decode-arithmetic exercises";

export function keeping(root) {
  const boxes = all(root, ".keeping input"), refused = all(root, ".refused");
  let run = null, wanted = false;

  for (const box of boxes) {
    box.addEventListener("change", () => {
      want(box.checked);
      write();
    });
  }

  function want(yes) {
    wanted = yes;
    for (const box of boxes) box.checked = yes;
  }

  function write() {
    let said = "";
    try {
      if (wanted) localStorage.setItem(KEPT, JSON.stringify(run));
      else localStorage.removeItem(KEPT);
    } catch {
      if (wanted) said = "This browser keeps nothing here: the exercises go on without.";
    }
    for (const each of refused) each.textContent = said;
  }

  return {
    /** What was kept, as text, or null. */
    read() {
      try {
        const text = localStorage.getItem(KEPT);
        want(text !== null);
        return text;
      } catch {
        return null;   // no storage in a frame without permission
      }
    },
    write(now) {
      run = now;
      write();
    },
  };
}
