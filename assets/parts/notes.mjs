// What is in the way, or was wrong with the address: as text, until it is dismissed.
import {element} from "./dom.mjs";

/** Have the page show a note, from anywhere in it. */
export function note(place, text) {
  place.dispatchEvent(new CustomEvent("note", {bubbles: true, detail: text}));
}

export function notes(root) {
  root.querySelector("button").addEventListener("click", () => { root.hidden = true; });
  return {
    show(texts) {
      root.querySelector("ul").replaceChildren(...texts.map(text => element("li", text)));
      root.hidden = !texts.length;
    },
  };
}
