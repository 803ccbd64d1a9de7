// What the exercises say: predictions and answers in words and numbers, the places in their texts.
import {quantities, speedup} from "../../built/arithmetic.mjs";
import {result} from "../exercise.mjs";
import {consistent, defaults} from "../rules.mjs";
import {amount, count, kibibytes, number, percent, inputText, times} from "./format.mjs";
import {boundWord, many} from "./phrases.mjs";
/**
 * @import {Exercise, Option, Prediction, SetUp} from "../../built/exercises.mjs"
 * @import {Item, Reply, Run} from "../exercise.mjs"
 */

/**
 * A quantity of a set-up.
 * @param {SetUp} setup
 * @param {string} name
 */
function valueOf(setup, name) {
  return /** @type {any} */ (consistent({...defaults, ...setup}).report)[name];
}

/**
 * A quantity as a text cites it: 14.0 GB · 7 % · 3.30× · memory-bound · $2.31.
 * @param {string} name
 * @param {any} value
 */
export function cited(name, value) {
  if (name === "fits") return value ? "fits" : "does not fit";
  if (typeof value === "string") return `${boundWord(/** @type {any} */ (value))}-bound`;
  if (/_(fraction|share|efficiency)$/.test(name)) return percent(value);
  if (/times_from_ridge$|speedup$/.test(name)) return times(value);
  if (name === "kv_bytes_per_token") {
    const {number, unit} = kibibytes(value);
    return withUnit(number, unit);
  }
  const [, unit] = quantities[name];
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
export function optionText({label, value = 0}, {unit = ""}) {
  return label ?? withUnit(inputText(value), unit);
}

/**
 * A prediction in words.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @returns {string}
 */
export function replyText({prediction}, reply) {
  const {options, unit = ""} = prediction;
  if (typeof reply === "number") return withUnit(`${reply < 0 ? "−" : ""}${inputText(Math.abs(reply))}`, unit);
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
  const {prediction: {kind, unit = ""}, answer: {right, value = 0}} = exercise;
  if (kind !== "number") return replyText(exercise, kind === "order" ? right : right[0]);
  if (unit === "×") return times(value);
  return withUnit(Number.isInteger(value) ? count(value) : number(value), unit);
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
  const more = value === undefined ? "" : ` (${quantities[metric][0]}: ${cited(metric, value)})`;
  return isRight ? `Right: “${is}”${more}.` : `You said “${was}”. It is “${is}”${more}.`;
}

/**
 * What each option gives, best first, and whether it is the reply; none where there is nothing to compare.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @returns {{label: string, value: string, isReply: boolean}[]}
 */
export function comparison({prediction, answer: {right, values, fits}}, reply) {
  if (!values || !["knob", "order"].includes(prediction.kind)) return [];
  const far = (/** @type {string} */ id) => Math.abs(values[id] - values[right[0]]);
  const ids = right.length > 1 ? right : Object.keys(values).sort((one, other) =>
    Number(fits?.[one] === false) - Number(fits?.[other] === false) || far(one) - far(other));
  return ids.map(id => {
    const option = prediction.options.find(each => each.id === id);
    const value = cited(prediction.metric, values[id]);
    return {
      label: option ? optionText(option, prediction) : id,
      value: fits?.[id] === false && Object.values(fits).includes(true) ? `${value}, does not fit` : value,
      isReply: reply === id,
    };
  });
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
    const [value, under] = names.split("/").map((/** @type {string} */ name) => valueOf(exercise.setups[name], quantity));
    return under === undefined ? cited(quantity, value) : times(speedup(value, under));
  });
}

/**
 * A length of time: 8 s, 2 min.
 * @param {number} seconds
 */
function duration(seconds) {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * Where one is.
 * @param {Item[]} items
 * @param {Item} item
 */
export function whereabouts(items, {id, test, chapter, title}) {
  if (test) {
    return [`${chapter}: deployment ${test.n} of ${test.of}, ${test.label}`, `question ${test.question} of ${test.questions}`].join(" · ");
  }
  const path = items.filter(each => !each.test), n = path.findIndex(each => each.id === id) + 1;
  return [`Question ${n} of ${path.length}`, chapter, title].filter(Boolean).join(" · ");
}

/**
 * An item by its name, also where a list has others of the same title.
 * @param {Item} item
 */
export function name({test, title}) {
  return test ? `${test.label}: ${title}` : title;
}

/**
 * How it went, in a line.
 * @param {Item[]} items
 * @param {Run} run
 */
export function outcome(items, run) {
  const {done, right, seconds, tried, cleared} = result(items, run);
  const test = tried ? `; ${cleared} of ${many(tried, "deployment")} cleared` : "";
  return `${right.length} of ${many(done.length, "prediction")} right at first, in ${duration(seconds)}${test}`;
}

/**
 * The first reply to one item, and what is right.
 * @param {Item} item
 * @param {Run} run
 */
export function remark(item, run) {
  const answer = run.answers[item.id];
  if (!answer) return "not answered";
  const was = replyText(item, answer.reply), time = duration(answer.seconds);
  return answer.isRight ? `${was}, ${time}` : `you said ${was}, it is ${rightText(item)}, ${time}`;
}

/**
 * The whole as text, to be copied.
 * @param {Item[]} items
 * @param {Run} run
 */
export function report(items, run) {
  const lines = items.map(item => {
    const answer = run.answers[item.id], mark = !answer ? "–" : answer.isRight ? "✓" : "✗";
    return `${mark} ${name(item)}: ${remark(item, run)}`;
  });
  return [`Decode arithmetic: ${outcome(items, run)}`, ...lines].join("\n");
}
