// Settings of a view of its own: lists and numbers, each told when it is another and can be taken.
import {settingValue} from "../core/settings.mjs";
import {capitalised} from "../core/words/phrases.mjs";
import {all, isEnter} from "./dom.mjs";
import {press} from "./press.mjs";

/** What a setting is called. @param {HTMLElement} input */
export function labelOf(input) {
  return input.closest(".field").querySelector("span").textContent;
}

/**
 * @param {HTMLElement} root
 * @param {(changes: Record<string, any>) => void} change
 * @param {(text: string) => void} complain
 */
export function fields(root, change, complain) {
  const inputs = all(root, ".field :is(input, select)"), {after} = press();
  /** @type {Record<string, any>} */
  let settings = {};
  let locked = [], resting = [];

  function disable() {
    for (const input of inputs) input.disabled = locked.includes(input.name) || resting.includes(input.name);
  }

  /** Whether what was typed is refused. */
  function enter(input) {
    const key = input.name;
    let why = "";
    const value = settingValue(key, input.value, (text, reason) => { why = reason; });
    complain(value === undefined ? capitalised(`${labelOf(input)}: ${why}. It stays at ${settings[key]}.`) : "");
    input.value = value ?? settings[key];
    if (value !== undefined && value !== settings[key]) change({[key]: value});
    return value === undefined;
  }

  for (const input of inputs) {
    // What is taken moves what lies around: a press that leaves the field is a click first.
    input.addEventListener("change", () => after(() => enter(input)));
    input.addEventListener("keydown", event => {
      if (input.tagName !== "INPUT" || !isEnter(event)) return;
      event.preventDefault();
      enter(input);
      input.select();
    });
  }
  root.addEventListener("submit", event => event.preventDefault());

  return {
    /** As the settings are; those that say nothing beside the others rest. */
    show(now, unused = []) {
      [settings, resting] = [now, unused];
      for (const input of inputs) if (input.value !== now[input.name]) input.value = now[input.name];
      disable();
    },
    lock(keys) {
      locked = keys;
      disable();
    },
  };
}
