// Tabs above panels, of which one is shown: pressed, or reached by an arrow key.
import {all} from "./dom.mjs";

/**
 * @param {HTMLElement} root of the tabs and their panels
 * @param {(name: string) => void} pressed told of the one that the reader chose
 */
export function tabs(root, pressed) {
  const list = root.querySelector('[role="tablist"]');
  const every = all(list, '[role="tab"]');
  const panel = tab => root.querySelector(`#${tab.getAttribute("aria-controls")}`);
  const nameOf = tab => tab.dataset.part;
  let current = nameOf(every[0]);

  const visible = () => every.filter(tab => !tab.hidden);

  function select(name) {
    current = name;
    for (const tab of every) {
      const isCurrent = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
      panel(tab).hidden = !isCurrent;
    }
  }

  function press(tab) {
    select(nameOf(tab));
    pressed(current);
  }

  for (const tab of every) {
    tab.addEventListener("click", () => press(tab));
    tab.addEventListener("keydown", ({key}) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[key];
      if (!step) return;
      const those = visible(), next = those.at((those.indexOf(tab) + step) % those.length);
      next.focus();
      press(next);
    });
  }

  return {
    /** The one whose panel is shown. */
    get current() { return current; },

    select,

    /** Of those that are there the present one, or else the first; whether there is any. */
    present() {
      const those = visible();
      root.hidden = !those.length;
      list.hidden = those.length === 1;
      if (those.length) select(those.some(tab => nameOf(tab) === current) ? current : nameOf(those[0]));
    },
  };
}
