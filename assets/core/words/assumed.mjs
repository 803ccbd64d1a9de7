// Both sets of assumptions, in words, and what they make of the speed.
import {evaluate} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {defaults} from "../rules.mjs";
import {placeholder, unitOf} from "./controls.mjs";
import {amount} from "./format.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/** Each set, with nothing changed. @param {State} state @param {string} assumptions */
function reportOf(state, assumptions) {
  const open = Object.fromEntries(data.assumption_keys.map(key => [key, defaults[key]]));
  return evaluate({...state, ...open, assumptions});
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
  const [ceiling, estimate] = ["lesson", "engine"].map(name => reportOf(state, name));
  const changed = data.assumption_keys.filter(key => isChanged(key, state)).length;
  const [slow, fast] = [data.engine_spread.slow, data.engine_spread.fast]
    .map(spread => evaluate({...state, assumptions: "engine", ...Object.fromEntries(data.assumption_keys.map(key => [key, defaults[key]])), ...spread}).tokens_per_s);
  return {
    said: [
      `All users together: ${amount(ceiling.tokens_per_s, "tokens/s")} at the ceiling, ${amount(estimate.tokens_per_s, "tokens/s")} as an estimate; slow engines make ${amount(slow, "tokens/s")}, fast ones ${amount(fast, "tokens/s")}.`,
      changed ? `With ${changed === 1 ? "what you changed" : `the ${changed} that you changed`}: ${amount(r.tokens_per_s, "tokens/s")}.` : "",
    ].join(" ").trim(),
    ...Object.fromEntries(data.assumption_keys.flatMap(key => [
      [`ceiling_${key}`, usual(key, state, ceiling)], [`estimate_${key}`, usual(key, state, estimate)],
    ])),
  };
}
