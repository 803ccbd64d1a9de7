// The big numbers in words: each with its unit, and a line beneath.
import {evaluate, quantities} from "../../built/arithmetic.mjs";
import data from "../../built/data.mjs";
import {isGuessed} from "../own_models.mjs";
import {cleared} from "../rules.mjs";
import {speculates} from "../speculation.mjs";
import {attention} from "./attention.mjs";
import {amount, count, kibibytes, number, percent, scaled, times} from "./format.mjs";
import {ridgeSide} from "./phrases.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Bound, Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/**
 * @param {Bound} name
 * @param {number} distance
 * @param {string} side
 */
function bound(name, distance, side) {
  if (name === "comms") return "bound by what the GPUs tell each other";
  if (name === "overhead") return "overhead-bound";
  return `${name}-bound, ${times(distance)} ${side} the ridge`;
}

/**
 * With speculation on, decode is the pass that verifies.
 * @type {Record<string, keyof Report & string>}
 */
const VERIFY_PASS = {decode_flops_per_byte: "verify_flops_per_byte"};

/**
 * The quantity that a readout shows.
 * @param {string} readout
 * @param {Report} r
 */
export function quantityOf(readout, r) {
  return (speculates(r) && VERIFY_PASS[readout]) || /** @type {keyof Report & string} */ (readout);
}

/**
 * Beside an estimate: the ceiling, and what slow and fast engines make of what is not given.
 * @param {State} state
 * @param {Report} r
 */
function besideEstimate(state, r) {
  if (state.assumptions === "lesson" || !r.fits) return "";
  // Without the losses that the reader has set. A table that is not read may take an estimate beyond it.
  const most = evaluate({...cleared(state, data.assumption_keys), assumptions: "lesson"}).tokens_per_s;
  const ceiling = most > r.tokens_per_s ? `ceiling ${number(most)}` : "";
  const [low, high] = [data.engine_spread.slow, data.engine_spread.fast].map(spread =>
    number(evaluate({...state, ...unlessGiven(state, spread)}).tokens_per_s));
  const engines = low === high ? "" : `engines ${low} to ${high}`;
  const said = [ceiling, engines].filter(Boolean).join(", ");
  return said && `${said} · `;
}

/**
 * Those of some inputs that the reader left open.
 * @param {State} state
 * @param {Partial<State>} inputs
 */
function unlessGiven(state, inputs) {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => isNaN(/** @type {any} */ (state)[key])));
}

/**
 * What stands under a big number; nothing under those that are not here.
 * @type {Record<string, (state: State, r: Report) => string>}
 */
const BENEATH = {
  kv_bytes_per_token: (state, r) => `${count(r.kv_bytes_per_token)} bytes · ${attention(r)}`,
  tokens_per_s: (state, r) => ifFitted(r) + besideEstimate(state, r) + (speculates(r)
    ? `${times(r.spec_speedup)} by ${number(r.spec_tokens_per_pass)} tokens per pass`
    : `one step takes ${amount(r.step_s, "s")}`),
  tokens_per_s_per_user: (state, r) => `${ifFitted(r)}${amount(r.tpot_s, "s")} per token`,
  kv_bytes: (state, r) =>
    `${r.n_gpus > 1 ? `on all ${count(r.n_gpus)} GPUs; ` : ""}${percent(r.kv_read_fraction)} of what a step reads`,
  ttft_s: (state, r) =>
    `${amount(r.prefill_flops_per_byte, "FLOP/B")}: ${bound(r.prefill_bound, r.prefill_times_from_ridge, ridgeSide(r.prefill_flops_per_byte, r))}`,
  decode_flops_per_byte: (state, r) => speculates(r)
    ? `the pass that verifies is ${bound(r.verify_bound, r.verify_times_from_ridge, ridgeSide(r.verify_flops_per_byte, r))}`
    : bound(r.bound, r.decode_times_from_ridge, ridgeSide(r.decode_flops_per_byte, r)),
};

/** @param {Report} r */
function ifFitted(r) { return r.fits ? "" : "if it fitted · "; }

/**
 * A big number in its unit, or that of another beside it.
 * @param {string} readout
 * @param {Report} r
 * @param {number} [like] the other
 */
function big(readout, r, like) {
  const name = quantityOf(readout, r), value = /** @type {number} */ (r[name]), [, unit] = quantities[name];
  if (name === "kv_bytes_per_token") return kibibytes(value);
  // An intensity is a measure, be it whole: 5.00, not 5.
  return {...scaled(value, unit, like), ...unit === "FLOP/B" ? {number: number(value)} : {}};
}

/**
 * What is pinned as A beside a big number, in its unit, and how many times as much that is.
 * @param {string} readout
 * @param {Report} r
 * @param {Report} a
 */
function besideA(readout, r, a) {
  const [value, other] = [r, a].map(each => Number(each[quantityOf(readout, each)]));
  const ratio = value === other ? 1 : value / other;
  return `A ${big(readout, a, value).number} · ${Number.isFinite(ratio) ? times(ratio) : "–"}`;
}

/**
 * The big numbers, with the unit beside each and a line below it.
 * @param {State} state
 * @param {Report} r
 * @param {Report} [a] what is pinned beside them
 * @returns {Texts}
 */
export function readouts(state, r, a) {
  const guess = isGuessed(state) ? ["partly a guess"] : [];
  return Object.fromEntries(data.readouts.flatMap(name => {
    const {number, unit} = big(name, r), beneath = a ? besideA(name, r, a) : BENEATH[name]?.(state, r);
    const said = [...guess, ...beneath ? [beneath] : []].join(" · ");
    return [[name, guess.length ? `≈ ${number}` : number], [`${name}_unit`, unit], [`${name}_sub`, said]];
  }));
}
