// The sentence under the meter, and things to try until it has a move to speak of. It is the
// page's only live region: busy while a move goes on, it is told once, when that is settled.
import {isStart, sentence as text} from "../core/words/sentence.mjs";
import {tries} from "../core/words/tries.mjs";
import {element, slots} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function sentence(root, store) {
  const said = root.querySelector("[aria-live]"), offered = root.querySelector(".tries");
  const lead = element("b"), rest = element("span");
  said.replaceChildren(lead, rest);
  lead.dataset.text = "lead";
  rest.dataset.text = "rest";
  const write = slots(said);
  const way = offered.querySelector(".way");
  let shown = {lead: "", rest: ""};
  let locked = [];

  way.addEventListener("click", () =>
    way.dispatchEvent(new CustomEvent("enter", {bubbles: true, detail: "exercises"})));

  function offer() {
    const begins = isStart(store.moved), left = begins ? tries(store.state, locked) : [];
    offered.hidden = !begins || (!left.length && way.hidden);
    offered.replaceChildren(offered.firstElementChild, way, ...left.map(([name, inputs]) => {
      const button = Object.assign(element("button", name), {type: "button", className: "try"});
      button.addEventListener("click", () => store.set(inputs));
      return button;
    }));
  }

  return {
    show(store) {
      const next = text(store);
      if (shown.lead === next.lead && shown.rest === next.rest) return;
      write(shown = next);
      if (said.ariaBusy !== "true") said.ariaBusy = "true";
      offered.hidden ||= !isStart(store.moved);
    },

    /** The move is over. Written anew, its sentence is told also where changes in between were not. */
    settle(store) {
      this.show(store);
      if (said.ariaBusy !== "true") return;
      said.ariaBusy = "false";
      for (const each of [lead, rest]) mark(each);
      offer();
    },

    /** Controls that cannot be changed; what would change one is not offered. */
    lock(keys) {
      locked = keys;
      offer();
    },
  };
}
