// The open step at the window's lower edge, while the list of steps is out of sight: the sliders that
// it asks for are further down.

/** Beside a `list` of all steps; `goOn` is called once all are done. */
export function stepBar(root, list, goOn) {
  const text = root.querySelector("p"), button = root.querySelector("button");
  const sight = new IntersectionObserver(([{isIntersecting}]) => root.classList.toggle("away", isIntersecting));
  sight.observe(list);
  button.addEventListener("click", goOn);

  return {
    /** How many steps are done, of how many, and what the open one says: nothing where none is. */
    show(done, all, say) {
      root.hidden = !all;
      const count = done ? `✓ ${done} of ${all} done` : `Step 1 of ${all}`;
      text.textContent = say ? `${count}: ${say}` : `✓ ${all === 1 ? "Done" : `All ${all} steps done`}.`;
      button.hidden = Boolean(say);
    },
    hide() {
      root.hidden = true;
    },
    close() {
      sight.disconnect();
    },
  };
}
