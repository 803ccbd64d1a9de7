// A form of the scenario: a control for each input that its HTML has a place for.
import {unusedKeys} from "../core/rules.mjs";
import {hints} from "../core/words/hints.mjs";
import {buttons} from "./controls/buttons.mjs";
import {entry} from "./controls/entry.mjs";
import {select} from "./controls/select.mjs";
import {slider} from "./controls/slider.mjs";
import {switch_} from "./controls/switch.mjs";
import {all, slots} from "./dom.mjs";
import {press} from "./press.mjs";

/** What a kind of control is made of. */
const KINDS = {
  entry: [entry], slider: [entry, slider], buttons: [buttons], select: [select], switch: [switch_],
};

export function controls(root, store) {
  // Whether a pointer leads a slider; at its end all are told of it.
  const pointer = {
    leads: false,
    end() {
      pointer.leads = false;
      for (const each of list) each.show(store);
    },
  };
  const shared = {store, pointer, press: press()};
  const list = all(root, "[data-control]").map(place => control(place, shared));
  const hintKeys = all(root, ".hint").map(place => place.dataset.text.replace("hint_", ""));
  const write = slots(root, ".hint");
  let lock = [];   // inputs that cannot be changed

  // A press begins a new move, before it changes anything: the sentence speaks of one at a time.
  root.addEventListener("pointerdown", () => store.settle(), true);
  root.addEventListener("submit", event => event.preventDefault());

  return {
    root,
    show(store) {
      const unused = unusedKeys(store.state, store.report);
      for (const each of list) {
        each.show(store);
        each.hide(unused.includes(each.key));
      }
      write(hints(store.state, store.report, hintKeys));
    },
    /** Those that are locked show their value but cannot be moved. */
    present(look) {
      lock = look.lock;
      for (const each of list) each.lock(lock.includes(each.key));
    },
    /** Take over Panel's widgets, once they are on the page: roots by their places. */
    connect(roots) {
      for (const each of list) {
        each.connect(roots.get(each.place)?.data);
        each.lock(lock.includes(each.key));
      }
    },
    resync() {
      for (const each of list) each.resync();
    },
  };
}

/** One control: its faces, and what was wrong with what was set last. */
function control(root, shared) {
  const {store} = shared;
  const key = root.dataset.control;
  const error = root.querySelector(".error");
  const field = root.querySelector("input");
  let state = null;   // in which something was wrong

  function complain(text) {
    state = store.state;
    if (error.textContent === text) return;
    error.textContent = text;
    field?.setAttribute("aria-invalid", String(text !== ""));
  }

  /** Whether the value is taken. */
  function set(value) {
    const wrong = store.move(key, value);
    complain(wrong);
    return !wrong;
  }

  const faces = KINDS[root.dataset.kind].map(make => make(root, {key, set, complain, ...shared}));
  const each = name => (...values) => {
    for (const face of faces) face[name]?.(...values);
  };
  const show = each("show");
  return {
    key,
    place: root.querySelector(".widget"),
    show(store) {
      // Whatever has changed since, what is shown now is right.
      if (error.textContent && store.state !== state) complain("");
      show(store);
    },
    hide(isHidden) {
      if (root.hidden !== isHidden) root.hidden = isHidden;
    },
    lock: each("lock"),
    connect: each("connect"),
    resync: each("resync"),
  };
}
