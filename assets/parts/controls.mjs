// The form of the scenario: a control for each input that its HTML has a place for.
import {unused} from "../core/rules.mjs";
import {hints} from "../core/words.mjs";
import {choice} from "./controls/choice.mjs";
import {entry} from "./controls/entry.mjs";
import {select} from "./controls/select.mjs";
import {slider} from "./controls/slider.mjs";
import {all, slots} from "./dom.mjs";

/** What a kind of control is made of. */
const KINDS = {entry: [entry], slider: [entry, slider], choice: [choice], select: [select]};

export function controls(root, store) {
  // Whether a pointer leads a slider; at its end all are told of it.
  const pointer = {
    leads: false,
    end() {
      pointer.leads = false;
      for (const each of made) each.show(store);
    },
  };
  const made = all(root, "[data-control]").map(place => control(place, store, pointer));
  const write = slots(root, ".hint");
  let locked = [];

  // A press begins a new move, before it changes anything: the sentence speaks of one at a time.
  root.addEventListener("pointerdown", () => store.settle(), true);
  root.addEventListener("submit", event => event.preventDefault());
  root.addEventListener("reset", event => {
    event.preventDefault();
    for (const each of made) each.complain("");
    store.reset(locked);
  });

  return {
    root,
    show(store) {
      const hidden = unused(store.state, store.report);
      for (const each of made) {
        each.show(store);
        each.root.hidden = hidden.includes(each.key);
      }
      write(hints(store.state, store.report));
    },
    /** Controls that show their value but cannot be moved; "all" is all of them. */
    lock(keys) {
      locked = made.map(({key}) => key).filter(key => keys.includes("all") || keys.includes(key));
      for (const each of made) each.lock(locked.includes(each.key));
      root.querySelector(".reset").hidden = locked.length === made.length;
    },
    /** Take over Panel's widgets, once they are on the page. */
    connect(widgets) {
      for (const each of made) {
        each.connect(widgets.get_model_by_name(`root_${each.key}`)?.data);
        each.lock(locked.includes(each.key));
      }
    },
    resync() {
      for (const each of made) each.resync();
    },
  };
}

/** One control: its faces, and what was wrong with what was set last. */
function control(root, store, pointer) {
  const key = root.dataset.control;
  const error = root.querySelector(".error");
  const field = root.querySelector("input, select");

  function complain(text) {
    error.textContent = text;
    field?.setAttribute("aria-invalid", String(text !== ""));
  }

  const set = value => complain(store.move(key, value));
  const faces = KINDS[root.dataset.kind].map(make => make(root, {key, store, set, complain, pointer}));
  const each = name => (...values) => {
    for (const face of faces) face[name]?.(...values);
  };
  return {
    key,
    root,
    complain,
    show: each("show"),
    lock: each("lock"),
    connect: each("connect"),
    resync: each("resync"),
  };
}
