// A run through the exercises: what is asked, in which order, what was predicted first, what is right.
/**
 * @import {Clearing, Course, Exercise} from "../built/exercises.mjs"
 * @typedef {number | string | string[]} Reply a number, an option's id, or all ids in order
 * @typedef {{reply: Reply, isRight: boolean, seconds: number, last: Reply}} Answer the first prediction, and the last
 * @typedef {{seed: number, at: string, answers: Record<string, Answer>}} Run
 * @typedef {{label: string, n: number, of: number, question: number, questions: number}} Place in the clearing test
 * @typedef {Exercise & {test: Place | null}} Item
 */

/** A run that begins; the seed draws what its clearing test asks. @returns {Run} */
export function newRun(seed = 0) {
  return {seed, at: "", answers: {}};
}

/**
 * Everything that a run asks: the path, then the clearing test.
 * @param {Course} course
 * @param {number} seed
 * @returns {Item[]}
 */
export function items({exercises, clearing}, seed) {
  return [...exercises.map(each => ({...each, test: null})), ...clearing ? test(clearing, seed) : []];
}

/**
 * @param {Clearing} clearing
 * @param {number} seed
 * @returns {Item[]}
 */
function test({title, text, drawn, questions, deployments}, seed) {
  const chosen = shuffled(deployments, seed).slice(0, drawn);
  return chosen.flatMap((deployment, n) => questions.map((question, i) => ({
    ...question,
    ...deployment.cases[i],
    id: `${deployment.id}--${question.id}`,
    chapter: title,
    text: [n || i ? "" : text, deployment.text, question.text].filter(Boolean).join("\n\n"),
    test: {label: deployment.label, n: n + 1, of: chosen.length, question: i + 1, questions: questions.length},
  })));
}

/**
 * The same order for the same seed.
 * @template T
 * @param {T[]} list
 * @param {number} seed
 */
function shuffled(list, seed) {
  let state = seed >>> 0;
  // A generator of Steele and Lea's kind, SplitMix: 32 bits of state are enough for a few draws.
  const next = () => {
    state = (state + 0x9E3779B9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85EBCA6B);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xC2B2AE35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  return list.map(each => ({each, key: next()})).sort((one, other) => one.key - other.key).map(({each}) => each);
}

/**
 * How a reply is judged: right or not, and what is explained to it before what is said to all.
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @returns {{isRight: boolean, outcome: string}}
 */
export function judgement({prediction: {kind, options}, answer: {right, value = 0, low = 0, high = 0}}, reply) {
  if (kind === "order") return {isRight: String(reply) === String(right), outcome: ""};
  if (kind !== "number") return {isRight: reply === right[0], outcome: String(reply)};
  const isRight = typeof reply === "number" ? low <= reply && reply <= high : reply === right[0];
  const number = typeof reply === "number" ? reply : options.find(({id}) => id === reply)?.value ?? NaN;
  return {isRight, outcome: isRight ? "" : number < value ? "too_low" : "too_high"};
}

/**
 * The texts that explain, with their places not filled yet.
 * @param {Exercise} exercise
 * @param {Reply} reply
 */
export function explanation(exercise, reply) {
  const {isRight, outcome} = judgement(exercise, reply), {explain} = exercise;
  return [explain[outcome] ?? explain[isRight ? "right" : "wrong"], explain.always].filter(Boolean);
}

/**
 * A run with one more prediction: the first one is saved.
 * @param {Run} run
 * @param {Exercise} exercise
 * @param {Reply} reply
 * @param {number} seconds
 * @returns {Run}
 */
export function withReply(run, exercise, reply, seconds) {
  const first = run.answers[exercise.id] ?? {reply, isRight: judgement(exercise, reply).isRight, seconds};
  return {...run, answers: {...run.answers, [exercise.id]: {...first, last: reply}}};
}

/**
 * What came of a run so far.
 * @param {Item[]} items
 * @param {Run} run
 */
export function result(items, run) {
  const done = items.filter(({id}) => run.answers[id]);
  const numbers = [...new Set(items.flatMap(({test}) => test ? [test.n] : []))];
  const deployments = numbers.map(n => items.filter(({test}) => test?.n === n));
  const tried = deployments.filter(each => each.every(({id}) => run.answers[id]));
  return {
    tried: tried.length,
    // All of its questions: the lever for its reason, and not by luck.
    cleared: tried.filter(each => each.every(({id}) => run.answers[id].isRight)).length,
    done,
    right: done.filter(({id}) => run.answers[id].isRight),
    again: done.filter(({id}) => !run.answers[id].isRight),
    seconds: done.reduce((sum, {id}) => sum + run.answers[id].seconds, 0),
  };
}

/**
 * The run that a text keeps, without what is no longer asked; or undefined, if it keeps none.
 * @param {string | null} text
 * @param {Course} course
 * @returns {Run | undefined}
 */
export function savedRun(text, course) {
  /** @type {any} */
  let saved;
  try {
    saved = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!Number.isInteger(saved?.seed) || typeof saved.at !== "string" || typeof saved.answers !== "object") return undefined;
  const run = newRun(saved.seed);
  run.at = saved.at;
  for (const item of items(course, saved.seed)) {
    const answer = Object(saved.answers)[item.id];
    if (!isReply(item, answer?.reply) || !isReply(item, answer.last) || !(answer.seconds >= 0)) continue;
    const {reply, seconds, last} = answer;
    run.answers[item.id] = {reply, isRight: judgement(item, reply).isRight, seconds, last};
  }
  return run;
}

/**
 * @param {Exercise} exercise
 * @param {unknown} reply
 */
function isReply({prediction: {kind, options}}, reply) {
  const ids = options.map(({id}) => id);
  if (kind === "order") return Array.isArray(reply) && reply.length === ids.length && ids.every(id => reply.includes(id));
  return ids.length ? ids.includes(String(reply)) && typeof reply === "string" : Number.isFinite(reply);
}
