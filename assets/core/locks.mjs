// What is not the reader's to change: it keeps its value, and its say.
import data from "../built/data.mjs";
import {consistent, unusedKeys} from "./rules.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 * @typedef {{state: State, report: Report}} Shown
 */

/**
 * Without those that are not the reader's to change.
 * @param {Partial<State>} inputs
 * @param {string[]} locked
 * @returns {Partial<State>}
 */
export function unlocked(inputs, locked) {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !locked.includes(key)));
}

/**
 * Why a reader may not go from one state to another, in a sentence; or "". An input that is not
 * theirs to change keeps its value and its say; left open, it follows what it follows.
 * @param {Shown} now as it is shown
 * @param {State} target
 * @param {string[]} locked
 * @param {string[]} [given] inputs that had no say where the reader was put: they may lose it again
 */
export function lockComplaint({state, report}, target, locked, given = []) {
  const next = consistent(target), silent = [...given, ...unusedKeys(state, report)];
  const silenced = unusedKeys(next.state, next.report).filter(each => !silent.includes(each));
  const key = /** @type {Key[]} */ (locked).find(each =>
    !Object.is(next.state[each], state[each]) || silenced.includes(each));
  return key ? `This would change what is locked here: ${data.inputs[key].label}` : "";
}

/**
 * Inputs that had no say where the reader was put, once somebody else has put them elsewhere: without
 * those that got one by that.
 * @param {string[]} given the same before
 * @param {Shown} before
 * @param {Shown} after
 */
export function silentIn(given, before, after) {
  const silent = unusedKeys(before.state, before.report), now = unusedKeys(after.state, after.report);
  return [...given.filter(each => !silent.includes(each) && !now.includes(each)), ...now];
}
