// What may not go together in a state, and what follows from what.
import {broken, evaluate} from "../built/arithmetic.mjs";
import data from "../built/data.mjs";
import {parsed} from "./numbers.mjs";
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

/**
 * The reader's group size, or the largest below it that divides the usual heads.
 * @param {State} state
 * @param {Report} report
 */
function groupSize(state, {n_heads}) {
  const stops = isOwnModel(state) && data.gqa_stops[n_heads];
  return stops ? /** @type {number} */ (stops.findLast(stop => stop <= state.gqa)) : state.gqa;
}

/**
 * The stops of an input's slider; those of the group size divide the heads.
 * @param {string} key
 * @param {Report} report
 */
export function stops(key, {n_heads}) {
  return (key === "gqa" && data.gqa_stops[n_heads]) || data.inputs[key].stops;
}

/**
 * Whether an input takes a value: the rules ask first for each number's own range.
 * @param {string} key
 * @param {any} value
 */
export function takes(key, value) {
  if (data.inputs[key].options) return isKind(key, value);
  return isKind(key, value) && !isNaN(value) && broken({...defaults, [key]: value, n_own: 0, n_own_card: 0}) !== key;
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
function isKind(key, value) {
  const {options} = data.inputs[key];
  if (options) return options.includes(value);
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
  const {options = [], allowed} = data.inputs[key];
  return `${key}=${shortened(value)}: ${suggestion(value, options)}allowed is ${allowed}`;
}

/**
 * A state as it can be shown, with its report: nothing is left of what the model and the card have
 * their own of, and the group size follows the heads.
 * @param {State} target
 */
export function consistent(target) {
  const stale = /** @type {Key[]} */ (presetKeys(target)).filter(key => !Object.is(target[key], defaults[key]));
  const state = stale.length ? {...target, ...Object.fromEntries(stale.map(key => [key, defaults[key]]))} : target;
  const report = evaluate(state), gqa = groupSize(state, report);
  return gqa === state.gqa ? {state, report} : {state: {...state, gqa}, report: evaluate({...state, gqa})};
}

/**
 * Why a reader may not go from one state to another, in a sentence; or "". An input that is not
 * theirs to change keeps its value and its say; left open, it follows what it follows.
 * @param {{state: State, report: Report}} now as it is shown
 * @param {State} target
 * @param {string[]} locked
 */
export function lockComplaint({state, report}, target, locked) {
  const next = consistent(target);
  const silent = unusedKeys(state, report), silenced = unusedKeys(next.state, next.report);
  const key = /** @type {Key[]} */ (locked).find(each => !Object.is(next.state[each], state[each])
    || (silenced.includes(each) && !silent.includes(each)));
  return key ? `This would change what is locked here: ${data.inputs[key].label}` : "";
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

/**
 * What a state has that is no input, or no value of one; or undefined.
 * @param {Record<string, any>} state
 */
function stray(state) {
  return Object.keys({...defaults, ...state})
    .find(key => !Object.hasOwn(data.inputs, key) || !isKind(key, state[key]));
}

/**
 * The rule that a state breaks: the sentence, and which inputs to leave out; or undefined.
 * @param {State} state
 * @param {string[]} cause the inputs that led to it
 * @returns {{sentence: string, keys: string[]} | undefined}
 */
export function complaint(state, cause) {
  /** @param {string} key */
  const breach = key => ({sentence: refusal(key, state[/** @type {Key} */ (key)]), keys: [key]});
  const odd = stray(state);
  if (odd !== undefined) return breach(odd);
  // Where g is not among them, it follows the heads.
  const next = cause.includes("gqa") ? state : consistent(state).state;
  const own = data.model_keys.filter(key => cause.includes(key));
  const ownCard = data.card_keys.filter(key => cause.includes(key));
  const name = broken({...next, n_own: own.length, n_own_card: ownCard.length});
  if (!name) return undefined;
  // Out of its range, a number is not computed with.
  if (!(name in data.rules)) return breach(name);
  const {sentence, keys} = data.rules[name];
  /** @type {Record<string, any>} */
  const words = {
    ...next,
    keys: own.join(", "),
    model: data.names.model[next.model],
    card_keys: ownCard.join(", "),
    card: data.names.gpu[next.gpu],
    n_heads: evaluate(next).n_heads,
    divisors: divisors(evaluate(next).n_heads),
  };
  return {
    sentence: sentence.replace(/{(\w+)}/g, (_, word) => words[word]),
    keys: (keys.length ? keys : name === "own_keys" ? own : ownCard).filter(key => cause.includes(key)),
  };
}

/**
 * In words: 1, 2 or 4.
 * @param {number} n
 */
function divisors(n) {
  const list = Array.from({length: n}, (_, i) => i + 1).filter(each => n % each === 0);
  return list.join(", ").replace(/, (\d+)$/, " or $1");
}
