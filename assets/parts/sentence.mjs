// The sentence under the meter, and things to try until it has a move to speak of. It is the
// page's only live region: busy while a move goes on, it is told once, when that is settled.
import {isStart, sentence as text} from "../core/words/sentence.mjs";
import {tries} from "../core/words/tries.mjs";
import {element, slots} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function sentence(root, store) {
  const line = root.querySelector("[aria-live]"), tryList = root.querySelector(".tries");
  const lead = element("b"), rest = element("span");
  line.replaceChildren(lead, rest);
  lead.dataset.text = "lead";
  rest.dataset.text = "rest";
  const write = slots(line);
  const way = tryList.querySelector(".way");
  let last = {lead: "", rest: ""};
  let locked = [];

  way.addEventListener("click", () =>
    way.dispatchEvent(new CustomEvent("enter", {bubbles: true, detail: "exercises"})));

  function offer() {
    const begins = isStart(store.moved), offers = begins ? tries(store.state, locked) : [];
    tryList.hidden = !begins || (!offers.length && way.hidden);
    tryList.replaceChildren(tryList.firstElementChild, way, ...offers.map(([name, inputs]) => {
      const button = Object.assign(element("button", name), {type: "button", className: "try"});
      button.addEventListener("click", () => store.set(inputs));
      return button;
    }));
  }

  return {
    show(store) {
      const next = text(store);
      if (last.lead === next.lead && last.rest === next.rest) return;
      write(last = next);
      if (line.ariaBusy !== "true") line.ariaBusy = "true";
      tryList.hidden ||= !isStart(store.moved);
    },

    /** The move is over. Written anew, its sentence is told also where changes in between were not. */
    settle(store) {
      this.show(store);
      if (line.ariaBusy !== "true") return;
      line.ariaBusy = "false";
      for (const each of [lead, rest]) mark(each);
      offer();
    },

    /** Controls that cannot be changed; what would change one is not offered. */
    present({lock}) {
      locked = lock;
      offer();
    },
  };
}
