// What may not go together in a state, and what follows from what.
import data from "../built/data.mjs";
import {contradiction, evaluate} from "../built/model.mjs";
/**
 * @import {State} from "../built/data.mjs"
 * @import {Report} from "../built/model.mjs"
 */

/**
 * Whether the parameters and group size are the reader's to set, not a published model's.
 * @param {State} state
 */
export function isOwnModel(state) {
  return data.own_models.includes(state.model);
}

/**
 * Which of these inputs say what an own model is.
 * @param {Partial<State>} inputs
 */
export function modelKeys(inputs) {
  return data.model_keys.filter(key => key in inputs);
}

/**
 * The reader's group size, or the largest below it that divides the ladder's heads.
 * @param {State} state
 * @param {Report} report
 */
export function groupSize(state, {n_heads}) {
  const stops = isOwnModel(state) && data.gqa_stops[n_heads];
  return stops ? /** @type {number} */ (stops.findLast(stop => stop <= state.gqa)) : state.gqa;
}

/**
 * What cannot be in a state that these inputs lead to from another, and why; or undefined.
 * @param {State} next
 * @param {Partial<State>} inputs
 * @param {State} from
 * @returns {{keys: string[], why: string} | undefined}
 */
export function complaint(next, inputs, from) {
  const r = evaluate(next), group = groupSize(next, r);
  if (group !== next.gqa && "gqa" in inputs && inputs.gqa !== from.gqa && isNaN(next.kv_heads)) {
    return {keys: ["gqa"], why: `g must divide the ${r.n_heads} query heads, ${next.gqa} does not`};
  }
  // As a slider shows it: the group size follows the heads.
  const {n_kv_heads} = group === next.gqa ? r : evaluate({...next, gqa: group});
  const why = contradiction(
    r.n_params, r.n_active, r.n_heads, n_kv_heads, r.n_experts, r.n_experts_per_token, r.n_expert_params);
  return why ? {keys: modelKeys(inputs), why} : undefined;
}
