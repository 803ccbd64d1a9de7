// How far it is: a tick for each question, with a gap where a chapter begins.
import {element} from "../dom.mjs";

export function track(root) {
  return {
    /** The ticks of what is answered, and where one is, if anywhere. */
    show(items, run, at) {
      root.replaceChildren(...items.map((item, i) => {
        const tick = element("i");
        tick.classList.toggle("begins", i > 0 && item.chapter !== items[i - 1].chapter);
        tick.classList.toggle("ticked", item.id in run.answers);
        tick.classList.toggle("here", i === at);
        return tick;
      }));
    },
  };
}
