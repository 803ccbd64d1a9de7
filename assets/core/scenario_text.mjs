// A scenario in one text, for where the address has one beside its own: "batch:64,gpus:2".
import data from "../built/data.mjs";
import {complaint} from "./complaint.mjs";
import {configIn, written} from "./own_models.mjs";
import {consistent, defaults, inputValue, presetKeys, refusal} from "./rules.mjs";
import {shortened} from "./text.mjs";
/**
 * @import {State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 * @typedef {{state: State, report: Report}} Moment
 */

/** What stands where nothing differs from the defaults. */
const NOTHING = "defaults";

/** No scenario is longer, with every input in it. */
const MOST = 60_000;

/**
 * The inputs of a state that differ from the defaults, as texts.
 * @param {State} state
 * @returns {[key: string, text: string][]}
 */
export function given(state) {
  const unused = presetKeys(state);
  return Object.entries(state)
    .filter(([key, value]) => !unused.includes(key) && value !== data.defaults[key] && !Number.isNaN(value))
    .map(([key, value]) => [key, String(value)]);
}

/** @param {State} state */
export function scenarioText(state) {
  return given(state).map(([key, text]) => `${key}:${written(text)}`).join(",") || NOTHING;
}

/**
 * The scenario that a text says, with its report; or why it says none, in a sentence.
 * @param {string} text
 * @returns {Moment | string}
 */
export function scenarioOf(text) {
  if (text.length > MOST) return `it has more than ${MOST.toLocaleString("en-US")} characters`;
  /** @type {Record<string, number | string>} */
  const inputs = {};
  for (const pair of text === NOTHING ? [] : text.split(",")) {
    const [key, value = ""] = pair.split(/:(.*)/s);
    if (!Object.hasOwn(data.inputs, key)) return `${shortened(pair)}: allowed are inputs, such as batch:64,gpus:2`;
    const meant = configIn(value) ?? value, taken = inputValue(key, meant);
    if (taken === undefined) return refusal(key, meant);
    if (Object.hasOwn(inputs, key)) return `${key} is given twice`;
    inputs[key] = taken;
  }
  const state = /** @type {State} */ ({...defaults, ...inputs});
  return complaint(state, Object.keys(inputs))?.sentence ?? consistent(state);
}

/** @type {[text: string, moment: Moment | null]} */
let last = ["", null];

/**
 * The scenario that is pinned as A, the same one for the same text; none without one.
 * @param {string} text that says one
 */
export function pinnedMoment(text) {
  if (last[0] !== text) last = [text, text ? /** @type {Moment} */ (scenarioOf(text)) : null];
  return last[1];
}
