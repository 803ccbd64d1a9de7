// A run through the exercises: what is asked, in which order, what was predicted first, what is right.
/**
 * @import {Clearing, Course, Exercise} from "../built/exercises.mjs"
 * @typedef {number | string | string[]} Said a number, an option's id, or all ids in order
 * @typedef {{said: Said, isRight: boolean, seconds: number, last: Said}} Answer the first prediction, and the last
 * @typedef {{seed: number, at: string, answers: Record<string, Answer>}} Run
 * @typedef {{label: string, n: number, of: number, question: number, questions: number}} Place in the clearing test
 * @typedef {Exercise & {test: Place | null}} Item
 */

/** A run that begins; the seed draws what its clearing test asks. @returns {Run} */
export function begun(seed = 0) {
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
    ...deployment.asked[i],
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
 * What a prediction was: right or not, and what is explained to it before what is said to all.
 * @param {Exercise} exercise
 * @param {Said} said
 * @returns {{isRight: boolean, outcome: string}}
 */
export function judged({prediction: {kind, options}, answer: {right, value = 0, low = 0, high = 0}}, said) {
  if (kind === "order") return {isRight: String(said) === String(right), outcome: ""};
  if (kind !== "number") return {isRight: said === right[0], outcome: String(said)};
  const isRight = typeof said === "number" ? low <= said && said <= high : said === right[0];
  const number = typeof said === "number" ? said : options.find(({id}) => id === said)?.value ?? NaN;
  return {isRight, outcome: isRight ? "" : number < value ? "too_low" : "too_high"};
}

/**
 * The texts that explain, with their places not filled yet.
 * @param {Exercise} exercise
 * @param {Said} said
 */
export function explanation(exercise, said) {
  const {isRight, outcome} = judged(exercise, said), {explain} = exercise;
  return [explain[outcome] ?? explain[isRight ? "right" : "wrong"], explain.always].filter(Boolean);
}

/**
 * A run with one more prediction: the first one is kept.
 * @param {Run} run
 * @param {Exercise} exercise
 * @param {Said} said
 * @param {number} seconds
 * @returns {Run}
 */
export function answered(run, exercise, said, seconds) {
  const first = run.answers[exercise.id] ?? {said, isRight: judged(exercise, said).isRight, seconds};
  return {...run, answers: {...run.answers, [exercise.id]: {...first, last: said}}};
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
export function resumed(text, course) {
  /** @type {any} */
  let kept;
  try {
    kept = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!Number.isInteger(kept?.seed) || typeof kept.at !== "string" || typeof kept.answers !== "object") return undefined;
  const run = begun(kept.seed);
  run.at = kept.at;
  for (const item of items(course, kept.seed)) {
    const answer = Object(kept.answers)[item.id];
    if (!isAnswer(item, answer?.said) || !isAnswer(item, answer.last) || !(answer.seconds >= 0)) continue;
    const {said, seconds, last} = answer;
    run.answers[item.id] = {said, isRight: judged(item, said).isRight, seconds, last};
  }
  return run;
}

/**
 * @param {Exercise} exercise
 * @param {unknown} said
 */
function isAnswer({prediction: {kind, options}}, said) {
  const ids = options.map(({id}) => id);
  if (kind === "order") return Array.isArray(said) && said.length === ids.length && ids.every(id => said.includes(id));
  return ids.length ? ids.includes(String(said)) && typeof said === "string" : Number.isFinite(said);
}
