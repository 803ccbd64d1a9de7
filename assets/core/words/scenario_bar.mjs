// What the scenario bar says.
import data from "../../built/data.mjs";
import {isOwnModel} from "../rules.mjs";
import {count, inputText, percent, rating} from "./format.mjs";
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
function assumptions(state, r) {
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
    assumed: assumptions(state, r),
    scenario: [pieces.model, pieces.hardware, data.names.assumptions[state.assumptions].toLowerCase()].join(" · "),
  };
}
