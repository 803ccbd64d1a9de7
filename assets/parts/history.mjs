// Back to where it began, and one step back for each press; what is in the way is noted.
import {note} from "./notes.mjs";

export function history(root, store) {
  const undo = root.querySelector(".undo");
  undo.addEventListener("click", () => tell(store.undo()));
  root.querySelector(".reset").addEventListener("click", () => tell(store.reset()));

  function tell(wrong) {
    if (wrong) note(root, wrong);
  }

  return {
    show({undoable, lock}) {
      root.hidden = lock.includes("all");
      // It keeps the focus when there is nothing left to undo.
      const disabled = String(!undoable);
      if (undo.ariaDisabled !== disabled) undo.ariaDisabled = disabled;
    },
  };
}
