// Both sets of assumptions, in words, and what they make of the speed.
import {evaluate} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {cleared, defaults} from "../rules.mjs";
import {placeholder, unitOf} from "./controls.mjs";
import {amount} from "./format.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/**
 * A set with nothing changed but some inputs.
 * @param {State} state
 * @param {string} assumptions
 * @param {Partial<State>} [inputs]
 */
function reportOf(state, assumptions, inputs = {}) {
  return evaluate({...cleared(state, data.assumption_keys), assumptions, ...inputs});
}

/**
 * What a set has for an assumption.
 * @param {Key} key
 * @param {State} state
 * @param {Report} r
 */
function usual(key, state, r) {
  const {options, range, whole} = data.inputs[key];
  if (options) return Number(r.operator_overlap) ? "per operator" : "the whole step";
  const text = placeholder(key, r);
  if (whole && range[0] === 0 && range[1] === 1) return Number(text) ? "yes" : "no";
  return `${text} ${unitOf(key, state, r)}`.trim();
}

/** Whether a reader has set an assumption. @param {Key} key @param {State} state */
export function isChanged(key, state) { return !Object.is(state[key], defaults[key]); }

/**
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function assumed(state, r) {
  const {slow, fast} = data.engine_spread;
  const ceiling = reportOf(state, "lesson"), estimate = reportOf(state, "engine");
  const [low, high] = [slow, fast].map(spread => reportOf(state, "engine", spread).tokens_per_s);
  const changed = data.assumption_keys.filter(key => isChanged(key, state)).length;
  return {
    said: [
      `All users together: ${amount(ceiling.tokens_per_s, "tokens/s")} at the ceiling, ${amount(estimate.tokens_per_s, "tokens/s")} as an estimate; slow engines make ${amount(low, "tokens/s")}, fast ones ${amount(high, "tokens/s")}.`,
      changed ? `With ${changed === 1 ? "what you changed" : `the ${changed} that you changed`}: ${amount(r.tokens_per_s, "tokens/s")}.` : "",
    ].join(" ").trim(),
    ...Object.fromEntries(data.assumption_keys.flatMap(key => [
      [`ceiling_${key}`, usual(key, state, ceiling)], [`estimate_${key}`, usual(key, state, estimate)],
    ])),
  };
}
