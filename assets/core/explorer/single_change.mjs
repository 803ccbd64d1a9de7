// Inputs of a state changed, and nothing else with them.
import {brokenRule} from "../broken_rule.mjs";
import {complaint} from "../complaint.mjs";
import {consistent, presetKeys} from "../rules.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 */

/**
 * One input changed; as below.
 * @param {State} state
 * @param {Key} key
 * @param {number | string} value
 */
export function singleChange(state, key, value) {
  return changed(state, {[key]: value});
}

/**
 * The state with its report; undefined where the values do not go with the rest of it, or where
 * something else would have to give way.
 * @param {State} state
 * @param {Partial<State>} inputs
 * @returns {{state: State, report: Report} | undefined}
 */
export function changed(state, inputs) {
  const next = {...state, ...inputs};
  if (complaint(next, Object.keys(inputs).filter(key => !presetKeys(next).includes(key)))) return undefined;
  const after = consistent(next), keys = /** @type {Key[]} */ (Object.keys(next));
  return keys.every(each => Object.is(after.state[each], next[each])) ? after : undefined;
}

/**
 * Whether a state goes as it is, with nothing giving way.
 * @param {State} state in which no preset's own inputs were changed
 */
export function goes(state) {
  return !brokenRule(state);
}
