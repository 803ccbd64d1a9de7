// The names of a choice as a list has them, each with what is known of it.
import data from "../../built/data.mjs";
import {choices} from "../../built/presets.mjs";
import {isConfig} from "../own_models.mjs";
import {inputText, number, rating} from "./format.mjs";
import {sharing} from "./hints.mjs";
import {many} from "./phrases.mjs";

/**
 * What is known of a name, by input.
 * @type {Record<string, (id: string) => string>}
 */
const FACTS = {
  model(id) {
    if (id === data.defaults.model) return "Llama-style: parameters and g are yours to set";
    if (data.own_models.includes(id)) return "likewise, with the layers and heads of the address";
    const record = choices.model[id];
    const model = /** @type {any} */ (record);
    return `${number(model.n_params)} parameters, ${many(model.n_layers, "layer")}, ${many(model.n_heads, "query head")}, ${sharing(model)}`;
  },

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
 * The options of an input; where nothing more is known of them, these are bare names.
 * @param {string} key
 * @returns {{id: string, name: string, facts: string}[]}
 */
export function options(key) {
  const own = key === "model" ? Object.keys(choices.model).filter(isConfig) : [];
  return [...own, ...data.inputs[key].options].map(id =>
    ({id, name: data.names[key]?.[id] ?? id, facts: FACTS[key]?.(id) ?? data.meanings[key]?.[id] ?? ""}));
}
