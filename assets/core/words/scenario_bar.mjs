// What the scenario bar says.
import {quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {SHARING, defaults, isOwnModel} from "../rules.mjs";
import {amount, count, inputText, percent, rating} from "./format.mjs";
import {uncapitalised} from "./phrases.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/** @param {State} state */
function model(state) {
  return isOwnModel(state) ? `${inputText(state.params_b)}B class` : data.names.model[state.model];
}

/** Inputs that the shares say which are reached. */
const SAID = ["mbu", "usable"];

/**
 * What the numbers leave out, and what else was set of it.
 * @param {State} state
 * @param {Report} r
 */
function assumptions(state, r) {
  const own = data.assumption_keys.filter(key => !SAID.includes(key)
    && (typeof state[key] === "number" ? !isNaN(state[key]) : state[key] !== data.defaults[key]));
  const parts = [
    ...(r.bandwidth_efficiency < 1 ? [`${percent(r.bandwidth_efficiency)} of the bandwidth`] : []),
    ...(r.hbm_limit_bytes < r.hbm_bytes ? [`${rating(r.hbm_limit_bytes, "B")} of ${rating(r.hbm_bytes, "B")} usable`] : []),
    ...own.map(key => assumption(key, state, r)),
  ];
  return parts.join(", ") || "nothing is lost";
}

/**
 * One that was set, in words.
 * @param {Key} key
 * @param {State} state
 * @param {Report} r
 */
function assumption(key, state, r) {
  if (key === "reserve_gb") return `${amount(r.reserved_bytes, "B")} in reserve${r.n_gpus > 1 ? " per GPU" : ""}`;
  const {label, range, whole, unit} = data.inputs[key], value = state[key], name = uncapitalised(label);
  if (typeof value !== "number") return `${name} per ${value}`;
  const [least, most] = range;
  if (most > 1) return `${name} ${inputText(value)} ${unit}`;
  if (least > 0 || !whole) return `${name} ${percent(value)}`;
  return `${value ? "with" : "without"} ${name}`;
}

/**
 * What stands beside a card's name: by how much it is not what is sold.
 * @param {State} state
 */
function factors({peak_factor, bandwidth_factor}) {
  return [[peak_factor, "FLOP/s"], [bandwidth_factor, "bandwidth"]]
    .filter(([factor]) => factor !== 1)
    .map(([factor, what]) => `, ${inputText(/** @type {number} */ (factor))}× ${what}`).join("");
}

/**
 * How the GPUs share the model, where not all of them share each layer: in the symbols of formulas.
 * @param {State} state
 */
function sharing(state) {
  return SHARING.filter(key => key !== "gpus" && !Object.is(state[key], defaults[key]))
    .map(key => `, ${quantities[data.inputs[key].sets][2]} ${state[key]}`).join("");
}

/**
 * The bar's texts: each part's, and the most of it in one for where there is a line.
 * @param {State} state
 * @param {Report} r
 * @param {boolean} inLab where a prompt that is not given is not the whole context
 * @returns {Texts}
 */
export function scenarioBar(state, r, inLab) {
  const prompt = inLab && isNaN(state.prompt) ? data.lab.usual_prompt : r.prompt_len;
  const pieces = {
    model: model(state),
    hardware: `${count(r.n_gpus)} × ${data.names.gpu[state.gpu]}${factors(state)}${sharing(state)}`,
    request: `${count(prompt)} in, ${count(r.output_len)} out`,
  };
  return {
    ...pieces,
    assumed: assumptions(state, r),
    scenario: [pieces.model, pieces.hardware, data.names.assumptions[state.assumptions].toLowerCase()].join(" · "),
  };
}
