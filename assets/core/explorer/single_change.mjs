// One input of a state changed, and nothing else with it.
import {complaint} from "../complaint.mjs";
import {consistent} from "../rules.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 */

/**
 * The state with its report; undefined where the value does not go with the rest of it, or where
 * something else would have to give way.
 * @param {State} state
 * @param {Key} key
 * @param {number | string} value
 * @returns {{state: State, report: Report} | undefined}
 */
export function singleChange(state, key, value) {
  const next = {...state, [key]: value};
  if (complaint(next, [key])) return undefined;
  const after = consistent(next), keys = /** @type {Key[]} */ (Object.keys(next));
  return keys.every(each => Object.is(after.state[each], next[each])) ? after : undefined;
}
