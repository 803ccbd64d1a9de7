// What was wrong with the address, as text, until it is dismissed.
import {element} from "./dom.mjs";

export function notes(root) {
  root.querySelector("button").addEventListener("click", () => { root.hidden = true; });
  return {
    show(texts) {
      root.querySelector("ul").replaceChildren(...texts.map(text => element("li", text)));
      root.hidden = !texts.length;
    },
  };
}
