// The sentence under the meter: what the last move did, why, and what that means for a reader.
import data from "../../built/data.mjs";
import {SHARING, presetKeys} from "../rules.mjs";
import {speculates} from "../speculation.mjs";
import {amount, count, inputText, number} from "./format.mjs";
import {MOVES, other, user} from "./moves.mjs";
import {boundWord, many, onEach} from "./phrases.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {{state: State, report: Report}} Moment
 * @typedef {{lead: string, rest: string}} Sentence the lead is what is seen first
 */

/** A state that came as a whole differs in many inputs: so many are spoken of. */
const MOST = 2;

/**
 * What stands there before anything was moved.
 * @param {Report} r
 */
function opening(r) {
  if (speculates(r)) {
    return `${onEach(r, "pass") || "Each pass"} reads ${amount(r.verify_weight_bytes, "B")} of weights to check ${many(r.n_drafted, "guess", "guesses")} for ${many(r.batch_per_pass, "sequence")}, and yields ${number(r.spec_tokens_per_pass)} tokens of each: it is ${boundWord(r.verify_bound)}-bound.`;
  }
  // Of experts, too, not all are read; that is no matter of the embedding.
  const unread = r.unread_table_bytes > 0 && !r.expert_bytes
    ? `, without the input embedding (only looked up),` : "";
  return `${onEach(r, "step") || "Each step"} reads ${amount(r.weight_bytes_read, "B")} of weights${unread} and ${amount(r.kv_read_bytes_per_gpu, "B")} of KV cache to make ${many(r.batch_per_pass, "token")}: decode is ${boundWord(r.bound)}-bound.`;
}

/**
 * By how much it does not fit, and how much of it would.
 * @param {Report} r
 */
function overflow(r) {
  const missing = `${amount(r.hbm_over_bytes, "B")} missing${r.n_gpus > 1 ? " on each GPU" : ""}`;
  if (r.weight_bytes_per_gpu > r.hbm_limit_bytes) return `Not even the weights fit, ${missing}.`;
  if (r.max_batch < 1) return `Not even one sequence fits, ${missing}.`;
  return `Only ${count(r.max_batch)} of the ${count(r.batch)} sequences ${r.max_batch === 1 ? "fits" : "fit"}, ${missing}.`;
}

/**
 * Whether there is no move to speak of: nothing was moved, or all of it was taken back.
 * @param {string} moved
 */
export function isStart(moved) { return moved === "" || moved === "reset"; }

/**
 * The inputs that a move is about: its own, or those in which the states differ.
 * @param {string} moved
 * @param {State} was
 * @param {State} is
 */
function inputs(moved, was, is) {
  if (moved in is) return [/** @type {Key} */ (moved)];
  const order = /** @type {Key[]} */ (Object.keys({...MOVES, ...is}));
  return order.filter(key => !Object.is(was[key], is[key])).slice(0, MOST);
}

/**
 * What gave way to the move of an input, or came back with it.
 * @param {string} moved
 * @param {State} was
 * @param {State} is
 */
function gaveWay(moved, was, is) {
  /** @param {Key} key */
  const named = key => data.inputs[key].label.replace(/,.*/, "");
  /** @param {Key} key @param {State} state */
  const text = (key, state) => inputText(Number(state[key])) || "open";
  const changed = /** @type {Key[]} */ (["gqa", ...SHARING])
    .filter(key => key !== moved && !Object.is(was[key], is[key]) && !presetKeys(is).includes(key));
  if (!changed.length) return "";
  const who = was.gpus === 1 && is.gpus === 1 ? "Groups of heads have" : "What GPUs share has";
  const list = changed.map(key => `${named(key)} ${text(key, is)} instead of ${text(key, was)}`);
  return ` ${who} to come out even: ${list.join(", ")}.`;
}

/**
 * What the last move did, and why; where nothing was moved, what a step does.
 * @param {Moment & {moved: string, before: Moment}} store
 * @returns {Sentence}
 */
export function sentence({moved, before: {state: was, report: before}, state, report}) {
  const keys = isStart(moved) ? [] : inputs(moved, was, state);
  if (!keys.length) return {lead: report.fits ? "" : overflow(report), rest: `${report.fits ? "" : " "}${opening(report)}`};
  const moves = keys.map(key => MOVES[key] ?? other(key));
  const what = moves[0].what(before, report, state);
  const why = moves.map(each => each.why(before, report, state)).join("; ");
  const then = (moves[0].then ?? user)(before, report, state);
  const lead = !report.fits ? overflow(report) : before.fits ? what : "Now it fits.";
  return {lead, rest: `${lead === what ? "" : ` ${what}`}: ${why}. ${then}${moved in state ? gaveWay(moved, was, state) : ""}`};
}
