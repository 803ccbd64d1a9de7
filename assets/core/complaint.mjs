// What is wrong with a state: the rule that it breaks, and which inputs have to give way.
import {broken, evaluate, quantities, shares_evenly} from "../built/arithmetic.mjs";
import data from "../built/data.mjs";
import {mainKind} from "./attention.mjs";
import {storable} from "./kv_format.mjs";
import {SHARING, consistent, defaults, isKind, isUnshared, plainlyShared, refusal} from "./rules.mjs";
import {filled} from "./text.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @import {Report} from "../built/arithmetic.mjs"
 */

/**
 * What a state has that is no input, or no value of one; or undefined.
 * @param {Record<string, any>} state
 */
function stray(state) {
  return Object.keys({...defaults, ...state})
    .find(key => !Object.hasOwn(data.inputs, key) || !isKind(key, state[key]));
}

/**
 * A state with what follows from what was asked for: the group size and the GPUs follow the heads, the
 * format of the cache follows the model, but not where they were asked for themselves.
 * @param {State} target
 * @param {string[]} cause
 */
function followed(target, cause) {
  const [gpus, ...ways] = SHARING, state = cause.includes("kv") ? target : storable(target);
  if (ways.some(key => cause.includes(key))) return state;
  if (!cause.includes("gqa") && !cause.includes(gpus)) return {...consistent(state).state, kv: state.kv};
  return isUnshared(state) ? plainlyShared(state) : state;
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
  const next = followed(state, cause);
  const own = data.model_keys.filter(key => cause.includes(key));
  const ownCard = data.card_keys.filter(key => cause.includes(key));
  const name = broken({...next, n_own: own.length, n_own_card: ownCard.length});
  if (!name) return undefined;
  // Out of its range, a number is not computed with.
  if (!(name in data.rules)) return breach(name);
  const {sentence, keys} = data.rules[name];
  const report = /** @type {any} */ (evaluate(next));
  /** @type {Record<string, any>} */
  const words = {
    ...Object.fromEntries(Object.keys(quantities).map(each => [each, report[each]])),
    ...next,
    keys: own.join(", "),
    model: data.names.model[next.model],
    card_keys: ownCard.join(", "),
    card: data.names.gpu[next.gpu],
    ...heads(report),
    ...products(report),
  };
  return {
    sentence: filled(sentence, words),
    keys: (keys.length ? keys : name === "own_keys" ? own : ownCard).filter(key => cause.includes(key)),
  };
}

/**
 * What sentences say of a model's heads; as `words_of` of calc.
 * @param {any} report
 */
function heads(report) {
  const {n_heads} = report;
  const layered = Object.keys(quantities).filter(name => /_n_layers$/.test(name) && report[name] > 0);
  const counts = layered.map(name => report[name.replace("_n_layers", "_n_kv_heads")]);
  const kvHeads = [...new Set(counts)].sort((one, other) => one - other);
  const divisors = Array.from({length: n_heads}, (_, i) => i + 1).filter(each => n_heads % each === 0);
  const shared = divisors.filter(tp => kvHeads.every(each => shares_evenly(each, tp)));
  const copies = Math.max(1, report.tensor_parallel / mainKind(report).n_kv_heads);
  return {divisors: either(divisors), kv_heads: kvHeads.join(" and "), shared: either(shared), copies};
}

/**
 * What sentences say of the GPUs; as `words_of` of calc.
 * @param {Report} report
 */
function products({tensor_parallel, data_parallel, pipeline_parallel}) {
  const n_dp_pp = data_parallel * pipeline_parallel;
  return {n_dp_pp, n_tp_dp_pp: tensor_parallel * n_dp_pp};
}

/**
 * In words: 1, 2 or 4.
 * @param {number[]} numbers
 */
function either(numbers) {
  return numbers.join(", ").replace(/, (\d+)$/, " or $1");
}
