// What stands beside a control's value, and what a screen reader says for it.
import data from "../../built/data.mjs";
import {isMha, mainKind} from "../attention.mjs";
import {inputText} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 */

/**
 * The unit of a setting: "token" for 1, else "tokens".
 * @param {string} key
 * @param {number | string} value
 */
function unitFor(key, value) {
  const {unit} = data.inputs[key];
  return value === 1 && unit.length > 2 ? unit.replace(/s$/, "") : unit;
}

/** @param {Report} r */
function attention(r) {
  if (isMha(r)) return "MHA";
  return mainKind(r).n_kv_heads === 1 ? "MQA" : "GQA";
}

/**
 * The words that stand beside a slider's value.
 * @param {Key} key
 * @param {State} state
 * @param {Report} r
 */
export function unitOf(key, state, r) {
  if (key === "gqa") return `· ${attention(r)}`;
  if (key === "spec_k") return state.spec_k === 0 ? "· off" : "";
  return key === "batch" ? "" : unitFor(key, state[key]);
}

/**
 * What a screen reader says for a slider's value.
 * @param {string} key
 * @param {number} value
 */
export function spoken(key, value) {
  if (key === "params_b") return `${inputText(value)} billion parameters`;
  if (key === "gqa") return `${many(value, "query head")} per KV head`;
  return `${inputText(value)} ${unitFor(key, value)}`.trim();
}

/**
 * What an input is where it is left open: the value that it follows, in its own unit.
 * @param {string} key
 * @param {Report} r
 */
export function placeholder(key, r) {
  const {sets, factor} = data.inputs[key];
  return data.defaults[key] === null ? inputText(/** @type {any} */ (r)[sets] / factor) : "";
}
