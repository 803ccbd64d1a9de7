// A typed value: as wide as its text, entered with Enter or by leaving it. Where it may be left
// open and is, the value that it follows stands in its place.
import data from "../../built/data.mjs";
import {refusal} from "../../core/rules.mjs";
import {placeholder, unitOf} from "../../core/words/controls.mjs";
import {parsed} from "../../core/numbers.mjs";
import {inputText} from "../../core/words/format.mjs";
import {isEnter, slots} from "../dom.mjs";
import {note} from "../notes.mjs";

/** No entry is wider, whatever is typed into it. [characters] */
const LONGEST = 20;

export function entry(root, {key, store, complain, press}) {
  const input = root.querySelector("[data-exact]");
  const write = slots(root.querySelector(".exact"));
  let typing = false;

  function fill(text) {
    if (input.value !== text) input.value = text;
    fit();
  }

  function fit() {
    const width = `${Math.min(Math.max((input.value || input.placeholder).length, 1), LONGEST) + 0.3}ch`;
    if (input.style.width !== width) input.style.width = width;
  }

  /** Whether what was typed is refused. */
  function enter() {
    typing = false;
    let wrong = "";
    if (input.value !== inputText(store.state[key])) {
      const value = parsed(input.value, data.inputs[key].unit), open = data.defaults[key] === null && !input.value.trim();
      wrong = named(isNaN(value) && !open ? refusal(key, "?") : store.move(key, value));
      complain(wrong);
      // In a sheet that the press has closed nobody reads it.
      if (wrong && !root.checkVisibility()) note(root, wrong);
      else if (wrong) root.scrollIntoView({block: "nearest"});
    }
    fill(inputText(store.state[key]));
    return wrong !== "";
  }

  /** What is wrong with the value itself is said of the control, which shows the good one again. */
  function named(wrong) {
    if (!wrong.startsWith(`${key}=`)) return wrong;
    const why = wrong.slice(wrong.indexOf(": "));
    return `${data.inputs[key].label}${why}. It stays at ${inputText(store.state[key]) || input.placeholder}.`;
  }

  // What is taken moves what lies around: a press that leaves the entry is a click first.
  input.addEventListener("change", () => press.after(enter));
  input.addEventListener("keydown", event => {
    if (!isEnter(event)) return;
    event.preventDefault();
    enter();
    input.select();
  });
  input.addEventListener("input", () => {
    typing = true;
    complain("");
    fit();
  });
  input.addEventListener("focus", () => input.select());
  // A text that is as it was is no change, but typing has ended all the same.
  input.addEventListener("blur", () => press.after(() => {
    typing = false;
    fill(inputText(store.state[key]));
  }));

  return {
    show({state, report}) {
      const open = placeholder(key, report);
      if (input.placeholder !== open) input.placeholder = open;
      // What is being typed is left alone until it is entered.
      if (!typing) fill(inputText(state[key]));
      write({[`unit_${key}`]: unitOf(key, state, report)});
    },
    lock(isLocked) {
      input.disabled = isLocked;
    },
  };
}
