// The sentence under the meter: what the last move did, why, and what that means for a reader.
import data from "../../built/data.mjs";
import {SHARING, companions, presetKeys} from "../rules.mjs";
import {speculates} from "../speculation.mjs";
import {DECODE, waits} from "./causes.mjs";
import {same} from "./change.mjs";
import {amount, count, inputText, number} from "./format.mjs";
import {MOVES, other, prefills, together, user} from "./moves.mjs";
import {boundWord, many, onEach, uncapitalised} from "./phrases.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {{state: State, report: Report}} Moment
 * @typedef {{lead: string, rest: string}} Sentence the lead is what is seen first
 */

/** A state that came as a whole differs in many inputs: so many are named. */
const MOST = 5;

/** Inputs of which the reason says how the state is, whatever else was moved with them. @type {string[]} */
const DESCRIBED = ["model", "params_b", "context", "gqa", "prompt", "prefix_hit", "output", "assumptions", "usd_per_gpu_hour"];

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
 * The inputs that a move is about: its own, or those in which the states differ, in the order in which
 * they are spoken of. What the model has itself, and the price that comes with a GPU, say nothing.
 * @param {string} moved
 * @param {State} was
 * @param {State} is
 */
function inputs(moved, was, is) {
  if (moved in is) return [/** @type {Key} */ (moved)];
  const order = /** @type {Key[]} */ (Object.keys({...MOVES, ...is})), brought = was.gpu === is.gpu ? {} : companions("gpu", is.gpu);
  return order.filter(key => !Object.is(was[key], is[key]) && !presetKeys(is).includes(key) && !Object.is(brought[key], is[key]));
}

/**
 * An input's values in two states: "batch 30 instead of 8".
 * @param {Key} key
 * @param {State} was
 * @param {State} is
 */
function insteadOf(key, was, is) {
  const text = (/** @type {number | string} */ value) => typeof value === "string" ? data.names[key]?.[value] ?? value : inputText(value) || "open";
  return `${data.inputs[key].label.replace(/,.*/, "")} ${text(is[key])} instead of ${text(was[key])}`;
}

/**
 * What gave way to the move of an input, or came back with it.
 * @param {string} moved
 * @param {State} was
 * @param {State} is
 */
function gaveWay(moved, was, is) {
  const changed = /** @type {Key[]} */ (["gqa", ...SHARING])
    .filter(key => key !== moved && !Object.is(was[key], is[key]) && !presetKeys(is).includes(key));
  const follows = moved === "model" && was.kv !== is.kv && [was, is].every(each => data.stand_ins.includes(each.kv));
  const format = !follows ? ""
    : ` The format of the KV cache follows the model: ${is.kv} instead of ${was.kv}.`;
  if (!changed.length) return format;
  const who = was.gpus === 1 && is.gpus === 1 ? "Groups of heads have" : "What GPUs share has";
  return ` ${who} to come out even: ${changed.map(key => insteadOf(key, was, is)).join(", ")}.${format}`;
}

/**
 * What several inputs did together: which one did what is not said, as it cannot be told from the outcome.
 * @param {Key[]} keys
 * @param {Moment} before
 * @param {Moment} after
 */
function several(keys, {state: was, report: b}, {state: is, report: a}) {
  const first = ["gpu", ...SHARING], order = [...first.filter(key => keys.includes(/** @type {Key} */ (key))), ...keys.filter(key => !first.includes(key))];
  const named = order.slice(0, MOST).map(key => insteadOf(/** @type {Key} */ (key), was, is));
  const more = order.length > MOST ? [`${count(order.length - MOST)} more`] : [];
  return {
    what: together(b, a, is),
    why: [...named, ...more].join(", "),
    then: `${user(b, a, is)} Decode ${waits(DECODE, b, a)}${same(b.ttft_s, a.ttft_s, "s") ? "" : `; ${uncapitalised(prefills(b, a))}`}.`,
  };
}

/**
 * What the last move did, and why; where nothing was moved, what a step does.
 * @param {Moment & {moved: string, before: Moment}} store
 * @returns {Sentence}
 */
export function sentence({moved, before, state, report}) {
  const {state: was, report: b} = before, keys = isStart(moved) ? [] : inputs(moved, was, state);
  if (!keys.length) return {lead: report.fits ? "" : overflow(report), rest: `${report.fits ? "" : " "}${opening(report)}`};
  const isPlain = keys.length === 1 || keys.length === 2 && keys.every(key => DESCRIBED.includes(key));
  const {what, why, then} = isPlain ? reasons(keys, b, report, state) : several(keys, before, {state, report});
  const lead = !report.fits ? overflow(report) : b.fits ? what : "Now it fits.";
  return {lead, rest: `${lead === what ? "" : ` ${what}`}: ${why}. ${then}${moved in state ? gaveWay(moved, was, state) : ""}`};
}

/**
 * What one input did, or two of which each has its own reason: the first leads.
 * @param {Key[]} keys
 * @param {Report} b
 * @param {Report} a
 * @param {State} state
 */
function reasons(keys, b, a, state) {
  const moves = keys.map(key => MOVES[key] ?? other(key));
  return {
    what: moves[0].what(b, a, state),
    why: moves.map(each => each.why(b, a, state)).join("; "),
    then: (moves[0].then ?? user)(b, a, state),
  };
}
