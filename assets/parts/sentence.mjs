// The sentence under the meter, and things to try until it has a move to speak of. It is the
// page's only live region: busy while a move goes on, it is told once, when that is settled.
import tries from "../built/tries.mjs";
import {isStart, sentence as text} from "../core/words/sentence.mjs";
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
  let isLocked = false;

  function enter(exercise) {
    root.dispatchEvent(new CustomEvent("enter", {bubbles: true, detail: {view: "exercises", exercise}}));
  }

  way.addEventListener("click", () => enter(""));

  /** Exercises until something is moved; of one's own choice where they may move everything. */
  function offer() {
    tryList.hidden = !isStart(store.moved) || way.hidden;
    tryList.replaceChildren(tryList.firstElementChild, way, ...isLocked ? [] : tries.map(({label, exercise}) => {
      const button = Object.assign(element("button", label), {type: "button", className: "try"});
      button.addEventListener("click", () => enter(exercise));
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

    /** Controls that cannot be changed. */
    present({lock}) {
      isLocked = lock.length > 0;
      offer();
    },
  };
}
