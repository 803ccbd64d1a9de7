// One of many names: the browser's own list, which brings keys, search by typing, and its words
// for screen readers with it.
import data from "../../built/data.mjs";

export function select(root, {key, set}) {
  const list = root.querySelector("select");
  const names = data.names[key] ?? {};
  list.append(...data.inputs[key].options.map(id => new Option(names[id] ?? id, id)));
  list.addEventListener("change", () => set(list.value));

  return {
    show({state}) {
      list.value = state[key];
    },
    lock(locked) {
      list.disabled = locked;
    },
  };
}
