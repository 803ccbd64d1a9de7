// How a model's query heads share keys and values.
/** @import {Report} from "../built/arithmetic.mjs" */

/**
 * The kind of layer that is meant by "the" KV heads of a model: `Model.main` in `calc`.
 * @param {{full_n_kv_heads: number, full_cache_width: number, full_d_head: number}} model
 */
export function mainKind(model) {
  return {n_kv_heads: model.full_n_kv_heads, cache_width: model.full_cache_width, d_head: model.full_d_head};
}

/** @param {Report} r */
export function isMha(r) { return mainKind(r).n_kv_heads === r.n_heads; }
