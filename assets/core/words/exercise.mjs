// What an exercise says: replies and answers in words and numbers, the places in its texts.
import {quantities, speedup} from "../../built/arithmetic.mjs";
import {totalQuantities} from "../../built/replay.mjs";
import {totals} from "../lab/replays.mjs";
import {parsed} from "../numbers.mjs";
import {consistent, defaults} from "../rules.mjs";
import {defaultSettings} from "../settings.mjs";
import {amount, count, inputText, kibibytes, number, percent, rating, shownUnit, times} from "./format.mjs";
import {boundWord} from "./phrases.mjs";
/**
 * @import {Exercise, Option, Prediction} from "../../built/exercises.mjs"
 * @import {Reply} from "../exercise.mjs"
 */

/** What hardware is sold with. */
const RATED = ["hbm_bytes", "hbm_bytes_per_s", "peak_flops_per_s"];

/** What is replayed once for all of an exercise's texts: by its settings. */
const replayed = new WeakMap();

/**
 * A quantity of one of the set-ups: of its replay, where it has one with such a quantity.
 * @param {Exercise} exercise
 * @param {string} at
 * @param {string} name
 */
function valueOf({setups, replays}, at, name) {
  const state = {...defaults, ...setups[at]}, lab = replays?.[at];
  if (!lab || !(name in totalQuantities)) return /** @type {any} */ (consistent(state).report)[name];
  if (!replayed.has(lab)) replayed.set(lab, totals(state, {...defaultSettings, ...lab}));
  return replayed.get(lab)[name];
}

/**
 * What is asked for, in a few words.
 * @param {Exercise} exercise
 */
export function asked({prediction: {metric}, replays}) {
  return (replays ? totalQuantities : quantities)[metric][0];
}

/**
 * A quantity as a text cites it: 14.0 GB · 7 % · 3.30× · memory-bound · $2.31; what a card's label
 * says as that does: 80 GB.
 * @param {string} name
 * @param {any} value
 */
export function cited(name, value) {
  if (name === "fits") return value ? "fits" : "does not fit";
  if (typeof value === "string") return `${boundWord(/** @type {any} */ (value))}-bound`;
  if (/_(fraction|share|efficiency|utilisation)$|^acceptance$/.test(name)) return percent(value);
  if (/times_from_ridge$|speedup$/.test(name)) return times(value);
  if (name === "kv_bytes_per_token") {
    const {number, unit} = kibibytes(value);
    return withUnit(number, unit);
  }
  const [, unit] = quantities[name] ?? totalQuantities[name];
  if (RATED.includes(name)) return rating(value, unit);
  return /^USD/.test(unit) ? withUnit(number(value), unit) : amount(value, unit);
}

/**
 * @param {string} digits
 * @param {string} unit
 */
function withUnit(digits, unit) {
  if (unit === "×") return `${digits}×`;
  return /^USD/.test(unit) ? `$${digits}` : `${digits} ${unit}`.trim();
}

/**
 * An option as it can be pressed.
 * @param {Option} option
 * @param {Prediction} prediction
 */
export function optionText({label, value = 0}, {unit: asked = ""}) {
  const {unit, size} = shownUnit(asked);
  return label?.replaceAll(/(?<=[−×\d]) (?=[\d%])/g, "\u00a0")
    ?? withUnit(size === 1 ? inputText(value) : number(value / size), unit);
}

/**
 * The number that a reader typed, in SI, or NaN; its unit may stand behind it: 28 · 28% · 1.5x · −2 GB.
 * @param {string} text
 * @param {Prediction} prediction
 */
export function typedReply(text, {unit: asked = ""}) {
  const {unit, size} = shownUnit(asked), plain = text.trim();
  const written = [unit, unit.replace("×", "x")].find(each => each && plain.toLowerCase().endsWith(each.toLowerCase())) ?? "";
  const [, sign, digits] = /** @type {string[]} */ (/^([-−]?)(.*)$/s.exec(plain.slice(0, plain.length - written.length)));
  return (sign ? -1 : 1) * parsed(digits, asked) * size;
}

/**
 * What is said to a text that is no number in the unit that is asked for.
 * @param {Prediction} prediction
 */
export function wantedNumber({unit: asked = ""}) {
  const {unit} = shownUnit(asked);
  return `Type a number${unit && ` in ${unit}`}, such as 12 or 0.5.`;
}

/**
 * A prediction in words.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @returns {string}
 */
export function replyText({prediction}, reply) {
  const {options} = prediction, {unit, size} = shownUnit(prediction.unit ?? "");
  if (typeof reply === "number") return withUnit(`${reply < 0 ? "−" : ""}${inputText(Math.abs(reply) / size)}`, unit);
  const labels = [reply].flat().map(id => {
    const option = options.find(each => each.id === id);
    return option ? optionText(option, prediction) : "";
  });
  return labels.join(", then ");
}

/**
 * What is right, in words and numbers.
 * @param {Exercise} exercise
 */
export function rightText(exercise) {
  const {prediction, answer: {right, value: asked = 0}} = exercise;
  if (prediction.kind !== "number") return replyText(exercise, prediction.kind === "order" ? right : right[0]);
  const {unit, size} = shownUnit(prediction.unit ?? ""), value = asked / size;
  if (unit === "×") return times(value);
  return withUnit(Number.isInteger(value) && size === 1 ? count(value) : number(value), unit);
}

/**
 * A reply beside what is right.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @param {boolean} isRight
 */
export function verdict(exercise, reply, isRight) {
  const {prediction: {kind, metric}, answer: {values, value}} = exercise;
  const is = rightText(exercise), was = replyText(exercise, reply);
  if (kind === "number") {
    if (!isRight) return `You said ${was}, it is ${is}.`;
    return typeof reply === "number" && was !== is ? `Right: you said ${was}, it is ${is}.` : `Right: it is ${is}.`;
  }
  if (kind === "direction" && values) {
    const {before, after} = values, from = cited(metric, before), to = cited(metric, after);
    const moves = from === to ? `${is}: ${to}` : `${is}: from ${from} to ${to}`;
    return isRight ? `Right. ${moves}.` : `You said “${was}”. ${moves}.`;
  }
  if (kind === "order") return isRight ? "Right: that is the order." : `It is ${is}.`;
  const more = value === undefined ? "" : ` (${asked(exercise)}: ${cited(metric, value)})`;
  return isRight ? `Right: “${is}”${more}.` : `You said “${was}”. It is “${is}”${more}.`;
}

/**
 * What each option gives, best first, and whether it is the reply, then what it is without; none where there is nothing to compare.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @returns {{label: string, value: string, isReply: boolean}[]}
 */
export function comparison(exercise, reply) {
  const {prediction, answer: {right, values, fits}} = exercise;
  if (!values || !["knob", "order"].includes(prediction.kind)) return [];
  const far = (/** @type {string} */ id) => Math.abs(values[id] - values[right[0]]);
  const ids = right.length > 1 ? right : Object.keys(values).sort((one, other) =>
    Number(fits?.[one] === false) - Number(fits?.[other] === false) || far(one) - far(other));
  const today = {label: "As it is", value: cited(prediction.metric, valueOf(exercise, "before", prediction.metric)), isReply: false};
  return [...ids.map(id => {
    const option = prediction.options.find(each => each.id === id);
    const value = cited(prediction.metric, values[id]);
    return {
      label: option ? optionText(option, prediction) : id,
      value: fits?.[id] === false && Object.values(fits).includes(true) ? `${value}, does not fit` : value,
      isReply: reply === id,
    };
  }), today];
}

/**
 * A text with its places filled: {said}, {is}, {before.kv_bytes}, {after/before.tokens_per_s}.
 * @param {string} text
 * @param {Exercise} exercise
 * @param {Reply} [reply]
 */
export function filled(text, exercise, reply = "") {
  return text.replace(/\{\{|\}\}|\{([^{}]+)\}/g, (braces, place) => {
    if (!place) return braces[0];
    if (place === "said") return replyText(exercise, reply);
    if (place === "is") return rightText(exercise);
    const [names, quantity] = place.split(".");
    const [value, under] = names.split("/").map((/** @type {string} */ name) => valueOf(exercise, name, quantity));
    const text = under === undefined ? cited(quantity, value) : times(speedup(value, under));
    return text.replaceAll(" ", "\u00a0");   // a number stays with its unit
  }).replaceAll(/(?<=\d) (?=%)/g, "\u00a0");
}
