// Which layers have which part of a model, as far as its file says.
/**
 * @import {Numbers} from "./read.mjs"
 * @typedef {Record<string, number>} Sizes
 */

/**
 * Of each part, whether each layer has it, or how likely that is.
 * @param {Numbers} numbers
 * @param {Sizes} f fields, completed
 * @param {Sizes} a
 * @returns {Record<string, number[]>}
 */
export function placed(numbers, f, a) {
  const nLayers = Math.trunc(a.n_layers), {family, kinds} = numbers;
  let attends = (kinds.attention ?? []).map(kind => Number(kind === "n_full" || kind === "n_window"));
  let keeps = (kinds.attention ?? []).map(kind => Number(kind === "n_state"));
  if (f.full_every > 0 && !attends.length) {
    attends = layers(nLayers, n => n % f.full_every === f.full_offset);
    keeps = attends.map(each => 1 - each);
  }
  const [moe, dense] = mlps(numbers, f, nLayers);
  const nStates = a.n_delta + a.n_mamba + a.n_selective + a.n_kda + a.n_conv + a.n_lightning;
  const nDense = a.dense_width ? (family.moe_beside_mlp ? nLayers : nLayers - a.n_moe) : 0;
  return {
    attention: spread(attends, nLayers, (a.n_full + a.n_window) / family.sublayers),
    states: spread(keeps, nLayers, nStates),
    dense: spread(dense, nLayers, nDense),
    shared: spread(moe, nLayers, a.n_moe),
    experts: spread(moe, nLayers, a.n_moe),
  };
}

/** @param {number} nLayers @param {(n: number) => boolean} has */
function layers(nLayers, has) {
  return Array.from({length: nLayers}, (_, n) => Number(has(n)));
}

/**
 * What is stated of each layer, if that is as many as are counted; or else alike in all.
 * @param {number[]} stated
 * @param {number} nLayers
 * @param {number} nHas
 */
function spread(stated, nLayers, nHas) {
  if (stated.length === nLayers && stated.reduce((sum, each) => sum + each, 0) === nHas) return stated;
  return Array(nLayers).fill(Math.min(nHas / Math.max(nLayers, 1), 1));
}

/**
 * Of each layer, whether it has experts, and whether an MLP.
 * @param {Numbers} numbers
 * @param {Sizes} f
 * @param {number} nLayers
 */
function mlps({kinds, own, family}, f, nLayers) {
  if (kinds.mlp?.length) return ["n_moe", "n_dense"].map(kind => kinds.mlp.map(each => Number(each === kind)));
  const {n_moe_placed: listed, n_mlp_only: without = []} = own.lists;
  const every = Math.max(f.moe_every, 1);
  const moe = layers(nLayers, n => (listed?.length ? listed.includes(n)
    : f.n_first_dense <= n && n <= f.n_before_dense && (n - f.moe_offset) % every === 0 && !without.includes(n)));
  return [moe, moe.map(each => (family.moe_beside_mlp ? 1 : 1 - each))];
}
