// Back to where it began, and one step back for each press.
export function history(root, store) {
  const undo = root.querySelector(".undo");
  undo.addEventListener("click", () => store.undo());
  root.querySelector(".reset").addEventListener("click", () => store.reset());

  return {
    show({undoable, locked}) {
      root.hidden = locked.includes("all");
      // It keeps the focus when there is nothing left to undo.
      undo.setAttribute("aria-disabled", String(!undoable));
    },
  };
}
