// One of two: both words are in sight, the chosen one is marked. The browser's own radio buttons
// bring the keys, and what screen readers say.
import {all} from "../dom.mjs";

export function switch_(root, {key, set}) {
  const buttons = all(root, "input");
  for (const button of buttons) button.addEventListener("change", () => set(button.value));

  return {
    show({state}) {
      for (const button of buttons) button.checked = button.value === state[key];
    },
    lock(isLocked) {
      for (const button of buttons) button.disabled = isLocked;
    },
  };
}
