// What a model's layers keep of each token, by the kind of their attention.
import {mainKind} from "../attention.mjs";
import {count, number} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {Pick<Report, "n_heads" | "n_layers" | "full_n_layers" | "full_n_kv_heads" | "full_cache_width" | "full_d_head"
 *   | "full_tokens_per_entry" | "window_n_layers" | "window_kept_len" | "state_n_layers" | "hca_n_layers">} Kinds
 */

/** What layers that keep all tokens keep of each: keys and values of their heads, or a latent. @param {Kinds} m @returns {string} */
function full(m) {
  const {n_kv_heads, cache_width, d_head} = mainKind(m);
  if (m.full_tokens_per_entry > 1) return `${count(cache_width)} numbers for ${count(m.full_tokens_per_entry)} tokens`;
  if (isLatent(m)) return `MLA: ${count(cache_width)} numbers`;
  const name = n_kv_heads === m.n_heads ? "MHA" : n_kv_heads === 1 ? "MQA" : "GQA";
  return `${name}: ${cache_width > 0 ? number(cache_width) : `2 × ${count(n_kv_heads)} × ${count(d_head)}`} numbers`;
}

/** @param {Kinds} m */
function isLatent(m) {
  const {n_kv_heads, cache_width} = mainKind(m);
  return n_kv_heads === 1 && cache_width > 0 && m.full_tokens_per_entry === 1;
}

/**
 * What a model's layers keep of each token, by their kind.
 * @param {Kinds} m a report, or the numbers of a model
 */
export function attention(m) {
  // Each GPU that shares the heads has the whole latent.
  const place = isLatent(m) ? ", on each GPU" : "";
  if (m.full_n_layers === m.n_layers && !m.state_n_layers) return `${full(m)} per token and layer${place}`;
  const kinds = [
    [m.full_n_layers, m.full_n_layers > 0 && full(m)],
    [m.window_n_layers, `the last ${count(m.window_kept_len)} tokens`],
    [m.hca_n_layers, "an entry for many tokens"],
    [m.state_n_layers, "a state"],
  ].filter(([n]) => Number(n) > 0).map(([n, what]) => `${what} in ${count(Number(n))}`);
  return `${kinds.join(", ")} of ${many(m.n_layers, "layer")}${place}`;
}
