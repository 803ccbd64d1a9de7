// The address is the state: inputs and settings, both ways, only what differs.
import data from "../built/data.mjs";
import {complaint} from "./complaint.mjs";
import {defaults, inputValue, refusal} from "./rules.mjs";
import {given} from "./scenario_text.mjs";
import {defaultSettings, settingValue} from "./settings.mjs";
import {shortened, suggestion} from "./text.mjs";
/** @import {Key, Settings, State} from "../built/data.mjs" */

/** So many notes on one address are read. */
const MOST_NOTES = 7;

/**
 * What an address asks for: {inputs, settings, notes}; what it asks for wrongly is noted.
 * @param {string} search
 */
export function read(search) {
  /** @type {Record<string, number | string>} */
  const inputs = {};
  /** @type {string[]} */
  const notes = [];
  const settings = {...defaultSettings};
  const keys = new Set();
  for (const [key, text] of new URLSearchParams(search)) {
    const pair = `${shortened(key)}=${shortened(text)}`;
    if (keys.has(key)) {
      notes.push(`${pair}: ${shortened(key)} is given twice, the first one counts`);
      continue;
    }
    keys.add(key);
    if (Object.hasOwn(data.inputs, key)) {
      const value = inputValue(key, text);
      if (value === undefined) notes.push(refusal(key, text));
      else inputs[key] = value;
    } else if (Object.hasOwn(data.settings, key)) {
      settings[key] = settingValue(key, text, (name, why) => notes.push(`${key}=${shortened(name)}: ${why}`))
        ?? defaultSettings[key];
    } else {
      const offer = suggestion(key, [...Object.keys(data.inputs), ...Object.keys(defaultSettings)]).trim();
      notes.push(`${pair}: there is no such key${offer && `; ${offer}`}`);
    }
  }
  if (settings.exercise) settings.view = "exercises";
  return {inputs, settings, notes};
}

/**
 * The state that an address leads to, the settings, and notes on what is left out.
 * @param {string} search
 */
export function fromAddress(search) {
  const {inputs, settings, notes} = read(search);
  const wrong = () => complaint({...defaults, ...inputs}, Object.keys(inputs));
  for (let breach = wrong(); breach; breach = wrong()) {
    notes.push(breach.sentence);
    for (const key of breach.keys) delete inputs[key];
  }
  const more = notes.length - MOST_NOTES;
  if (more > 0) notes.splice(MOST_NOTES, more, `${more} more: left out, too`);
  return {state: /** @type {State} */ ({...defaults, ...inputs}), settings, notes};
}

/**
 * What is said of an address that has both an exercise, which brings its own set-up, and another one.
 * @param {State} state that waits until the reader leaves the exercises
 */
export function waiting(state) {
  const keys = /** @type {Key[]} */ (Object.keys(state)).filter(key => !Object.is(state[key], defaults[key]));
  return keys.length ? [`${keys.join(", ")}: an exercise has a set-up of its own; this one waits for Leave`] : [];
}

/**
 * The query of a state and settings: only what differs from the defaults.
 * @param {State} state
 * @param {Settings} settings
 */
export function query(state, settings) {
  const params = new URLSearchParams(given(state));
  for (const key in defaultSettings) {
    if (key === "view" && settings.exercise) continue;   // which is in one view only
    // A list is written with commas, a scenario with colons, too.
    if (String(settings[key]) !== String(defaultSettings[key])) params.set(key, settings[key]);
  }
  const text = params.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text && `?${text}`;
}
