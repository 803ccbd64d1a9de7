// What may not go together in a state, and what follows from what.
import {evaluate, shares_evenly} from "../built/arithmetic.mjs";
import data from "../built/data.mjs";
import {brokenRule} from "./broken_rule.mjs";
import {storable} from "./kv_format.mjs";
import {SMALLEST, TINY, parsed} from "./numbers.mjs";
import {isLearned, whyNot} from "./own_models.mjs";
import {shortened, suggestion} from "./text.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 */

/**
 * The lesson's. What is not given (a prompt of its own) is NaN in the model, null in JSON.
 * @type {State}
 */
export const defaults = /** @type {any} */ (Object.fromEntries(
  Object.entries(data.defaults).map(([key, value]) => [key, value ?? NaN])));

/**
 * Whether the parameters and group size are the reader's to set, not a published model's.
 * @param {State} state
 */
export function isOwnModel(state) {
  return data.own_models.includes(state.model);
}

/**
 * Inputs that say nothing in a state, as the chosen model or card has its own.
 * @param {State} state
 */
export function presetKeys(state) {
  return [
    ...(isOwnModel(state) ? [] : data.model_keys),
    ...(state.gpu === data.own_gpu ? [] : data.card_keys),
  ];
}

/**
 * What a reader's choice brings along: a GPU its price, the lesson's where none is known.
 * @param {string} key
 * @param {number | string} value
 * @returns {Partial<State>}
 */
export function companions(key, value) {
  return key === "gpu" ? {usd_per_gpu_hour: data.prices[value] ?? defaults.usd_per_gpu_hour} : {};
}

/** Group sizes by heads and the GPUs that share them. @type {Map<string, number[]>} */
const groups = new Map();

/**
 * Group sizes that divide the usual heads, of those whose KV heads the GPUs can share: the same list each time.
 * @param {Report} report
 */
function groupSizes({n_heads, tensor_parallel}) {
  const all = data.gqa_stops[n_heads], name = `${n_heads} ${tensor_parallel}`;
  if (!all || n_heads % tensor_parallel) return all;
  const sizes = groups.get(name) ?? all.filter(stop => shares_evenly(n_heads / stop, tensor_parallel));
  groups.set(name, sizes);
  return sizes;
}

/**
 * The reader's group size, or the largest below it of those that there are.
 * @param {State} state
 * @param {Report} report
 */
function groupSize(state, report) {
  const sizes = isOwnModel(state) && isNaN(state.kv_heads) && groupSizes(report);
  return sizes ? /** @type {number} */ (sizes.findLast(size => size <= state.gqa)) : state.gqa;
}

/**
 * The stops of an input's slider.
 * @param {string} key
 * @param {Report} report
 */
export function stops(key, report) {
  return (key === "gqa" && groupSizes(report)) || data.inputs[key].stops;
}

/**
 * Whether an input takes a value: the rules ask first for each number's own range.
 * @param {string} key
 * @param {any} value
 */
export function takes(key, value) {
  if (data.inputs[key].options) return isKind(key, value);
  return isKind(key, value) && !isNaN(value) && brokenRule({...defaults, [key]: value}) !== key;
}

/**
 * One input's value from a text, or undefined where the text is none that it takes.
 * @param {string} key
 * @param {string} text
 */
export function inputValue(key, text) {
  const value = data.inputs[key].options ? text : parsed(text, data.inputs[key].unit);
  return takes(key, value) ? value : undefined;
}

/**
 * Whether a value is one of an input's names, or a number; NaN where it may be left open.
 * @param {string} key
 * @param {any} value
 */
export function isKind(key, value) {
  const {options} = data.inputs[key];
  if (options) return options.includes(value) || (key === "model" && isLearned(value));
  // What is divided by −0 is −∞.
  return typeof value === "number" && !Object.is(value, -0) && (!isNaN(value) || data.defaults[key] === null);
}

/**
 * What is said where a value is not taken, or there is no such input.
 * @param {string} key
 * @param {unknown} value
 */
export function refusal(key, value) {
  if (!Object.hasOwn(data.inputs, key)) return `${shortened(key)}: there is no such input`;
  const {options = [], allowed, range} = data.inputs[key], number = Number(value);
  if (range?.[0] === 0 && number > 0 && number < SMALLEST) return `${key}=${shortened(value)}: ${TINY}`;
  return `${key}=${shortened(value)}: ${(key === "model" && whyNot(value)) || `${suggestion(value, options)}allowed is ${allowed}`}`;
}

/** What says how GPUs share a model: their number, and into what they split it. */
export const SHARING = /** @type {Key[]} */ (data.rules.gpus_of_factors.keys);

/**
 * A state with some inputs as they are by default.
 * @param {State} state
 * @param {Key[]} keys
 * @returns {State}
 */
export function cleared(state, keys) {
  return {...state, ...Object.fromEntries(keys.map(key => [key, defaults[key]]))};
}

/**
 * A state in which all GPUs share each layer.
 * @param {State} state
 */
export function plainlyShared(state) {
  return {...cleared(state, SHARING), gpus: state.gpus};
}

/**
 * Whether GPUs cannot share the model in the way of a state.
 * @param {State} state
 */
export function isUnshared(state) {
  return data.rules[brokenRule(state)]?.keys.includes("gpus") ?? false;
}

/**
 * A state with its report, in which the group size follows the heads and the GPUs that share them.
 * @param {State} state
 */
function grouped(state) {
  const report = evaluate(state), gqa = groupSize(state, report);
  return gqa === state.gqa ? {state, report} : {state: {...state, gqa}, report: evaluate({...state, gqa})};
}

/**
 * A state as it can be shown, with its report: nothing is left of what the model and the card have
 * their own of, the cache can be stored, the group size follows the heads, and no more GPUs share them than can.
 * @param {State} target
 */
export function consistent(target) {
  const stale = /** @type {Key[]} */ (presetKeys(target)).filter(key => !Object.is(target[key], defaults[key]));
  const state = storable(stale.length ? cleared(target, stale) : target);
  let next = grouped(state);
  for (let {gpus} = state; gpus >= 1 && isUnshared(next.state); gpus--) next = grouped(plainlyShared({...state, gpus}));
  return next;
}

/**
 * Inputs that say nothing in a state: the model has its own, or what they set is off.
 * @param {State} state
 * @param {Report} report
 */
export function unusedKeys(state, {n_heads}) {
  /** @param {[string, number | string | null]} value of an input */
  const has = ([key, value]) => Object.is(state[/** @type {Key} */ (key)], value ?? NaN);
  return [
    ...presetKeys(state),
    ...(data.gqa_stops[n_heads] ? [] : ["gqa"]),   // no group size divides such heads
    ...Object.entries(data.inputs).filter(([, {only, unless}]) =>
      !Object.entries(only).every(has) || Object.entries(unless).some(has)).map(([key]) => key),
  ];
}
