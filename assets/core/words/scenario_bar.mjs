// What the scenario bar says, and the rows of its lists.
import data from "../../built/data.mjs";
import {choices} from "../../built/presets.mjs";
import {count, rating, number, percent, inputText} from "./format.mjs";
import {sharing} from "./hints.mjs";
import {isOwnModel} from "../rules.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/** @param {State} state */
function model(state) {
  return isOwnModel(state) ? `${inputText(state.params_b)}B class` : data.names.model[state.model];
}

/**
 * What the numbers leave out, as the model itself has it.
 * @param {State} state
 * @param {Report} r
 */
function assumed(state, r) {
  const own = data.assumption_keys.filter(key =>
    typeof state[key] === "number" ? !isNaN(state[key]) : state[key] !== data.defaults[key]);
  const reached = [
    ...(r.bandwidth_efficiency < 1 ? [`${percent(r.bandwidth_efficiency)} of the bandwidth`] : []),
    ...(r.hbm_limit_bytes < r.hbm_bytes ? [`${rating(r.hbm_limit_bytes, "B")} of ${rating(r.hbm_bytes, "B")} usable`] : []),
  ];
  const set = reached.join(", ") || "nothing is lost";
  return own.length ? `${set}; set: ${own.map(key => `${key} ${state[key]}`).join(", ")}` : set;
}

/**
 * The bar's texts: each part's, and the most of it in one for where there is a line.
 * @param {State} state
 * @param {Report} r
 * @returns {Texts}
 */
export function scenarioBar(state, r) {
  const pieces = {
    model: model(state),
    hardware: `${count(r.n_gpus)} × ${data.names.gpu[state.gpu]}`,
    request: `${count(r.prompt_len)} in, ${count(r.output_len)} out`,
  };
  return {
    ...pieces,
    assumed: assumed(state, r),
    scenario: [pieces.model, pieces.hardware, data.names.assumptions[state.assumptions].toLowerCase()].join(" · "),
  };
}

/** What is known of each choice, by input. */
const FACTS = {
  /** @param {string} id */
  model(id) {
    if (id === data.defaults.model) return "Llama-style: parameters and g are yours to set";
    if (data.own_models.includes(id)) return "likewise, with the layers and heads of the address";
    const record = choices.model[id];
    const model = /** @type {any} */ (record);
    return `${number(model.n_params)} parameters, ${many(model.n_layers, "layer")}, ${many(model.n_heads, "query head")}, ${sharing(model)}`;
  },
  /** @param {string} id */
  gpu(id) {
    if (id === data.own_gpu) return "memory, bandwidth and peaks are yours to set";
    const card = choices.gpu[id], usd = data.prices[id];
    const lacking = [
      ["fp8", card.peak_8bit_flops_per_s], ["int8", card.peak_int8_flops_per_s], ["fp4", card.peak_4bit_flops_per_s],
    ].filter(([, peak]) => peak === 0).map(([name]) => name);
    return [
      ...(id === data.defaults.gpu ? ["the lesson's"] : []),
      `${rating(card.hbm_marketed_bytes, "B")} at ${rating(card.hbm_bytes_per_s, "B/s")}`,
      usd === undefined ? "no price known" : `${inputText(usd)} USD/h`,
      ...(lacking.length ? [`no ${lacking.join(", ")}`] : []),
    ].join(" · ");
  },
};

/**
 * The names of a choice, each with what is known of it in a line.
 * @param {"model" | "gpu"} key
 * @returns {{id: string, name: string, facts: string}[]}
 */
export function rows(key) {
  return data.inputs[key].options.map(id => ({id, name: data.names[key][id], facts: FACTS[key](id)}));
}
