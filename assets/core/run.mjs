// A run through the exercises: what was predicted first, where it goes on, and which steps by the
// reader's own hand are done.
import {items, together} from "./course.mjs";
import {isReply, judgement} from "./exercise.mjs";
/**
 * @import {Course, Exercise} from "../built/exercises.mjs"
 * @import {Item} from "./course.mjs"
 * @import {Reply} from "./exercise.mjs"
 * @typedef {{reply: Reply, isRight: boolean, seconds: number, last: Reply}} Answer the first prediction, and the last
 * @typedef {{seed: number, at: string, answers: Record<string, Answer>, steps: Record<string, number[]>}} Run
 */

/**
 * What belongs to ids of a file, of which any can be one: "constructor" is no less than another.
 * @template T
 * @param {Record<string, T>} [found]
 * @returns {Record<string, T>}
 */
function byId(found) {
  return Object.assign(Object.create(null), found);
}

/** A run that begins; the seed draws what its clearing test asks. @returns {Run} */
export function newRun(seed = 0) {
  return {seed, at: "", answers: byId(), steps: byId()};
}

/** A run's seed is below this. */
const SEEDS = 2 ** 32;

/** A run with another draw than one before it, or than any. @param {Run} [before] */
export function freshRun(before) {
  return newRun(before ? (before.seed + 1) % SEEDS : Math.floor(Math.random() * SEEDS));
}

/**
 * Whether a prediction is locked in and what is right not told yet: the answer to one question of a
 * deployment would give away the others.
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function isHeld(items, run, item) {
  return item.id in run.answers && together(items, item).some(({id}) => !run.answers[id]);
}

/**
 * What came of one item: "right", "wrong" at first, "held" where it is not told yet, or "open".
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function standing(items, run, item) {
  const answer = run.answers[item.id];
  if (!answer) return "open";
  return isHeld(items, run, item) ? "held" : answer.isRight ? "right" : "wrong";
}

/**
 * Where it goes on from an item: to the next one, or the one before, that has something to show;
 * but not from the path and its test to the further questions, nor back.
 * @param {Item[]} items
 * @param {Run} run
 * @param {number} at
 * @param {1 | -1} way
 * @returns {Item | undefined}
 */
export function beside(items, run, at, way) {
  const left = way > 0 ? items.slice(at + 1) : items.slice(0, at).reverse();
  return left.find(item => !isHeld(items, run, item) && item.further === items[at].further);
}

/**
 * What comes after a prediction was locked in: the next question of the same deployment that is
 * open, or else the first of its answers.
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function afterLock(items, run, item) {
  const all = together(items, item), at = all.indexOf(item);
  return [...all.slice(at + 1), ...all].find(({id}) => !run.answers[id]) ?? all[0] ?? item;
}

/**
 * A run with these steps of an exercise done.
 * @param {Run} run
 * @param {Exercise} exercise
 * @param {number[]} done
 * @returns {Run}
 */
export function withSteps(run, {id}, done) {
  return {...run, steps: byId({...run.steps, [id]: done})};
}

/**
 * How many steps of an exercise are left to the reader's own hand.
 * @param {Run} run
 * @param {Item} item
 */
export function stepsLeft(run, {id, tasks, closed}) {
  return tasks.filter((_, i) => !closed.includes(i) && !run.steps[id]?.includes(i)).length;
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
  return {...run, answers: byId({...run.answers, [exercise.id]: {...first, last: reply}})};
}

/**
 * What came of a run so far, without what is locked in and not told yet.
 * @param {Item[]} items
 * @param {Run} run
 */
export function result(items, run) {
  const done = items.filter(item => run.answers[item.id] && !isHeld(items, run, item));
  const tried = items.filter(item => item.test?.question === 1).map(item => together(items, item))
    .filter(each => each.every(({id}) => run.answers[id]));
  return {
    tried: tried.length,
    // All of its questions: the lever for its reason, and not by luck.
    cleared: tried.filter(each => each.every(({id}) => run.answers[id].isRight)).length,
    done,
    right: done.filter(({id}) => run.answers[id].isRight),
    again: done.filter(({id}) => !run.answers[id].isRight),
    unfinished: done.filter(item => stepsLeft(run, item)),
    held: items.filter(item => isHeld(items, run, item)),
    left: items.filter(({id, further}) => !run.answers[id] && !further),
    more: items.filter(({id, further}) => !run.answers[id] && further),
    seconds: done.reduce((sum, {id}) => sum + run.answers[id].seconds, 0),
  };
}

/** Nobody thinks longer about a question than a week. [s] */
const LONGEST_S = 604_800;

/** @param {unknown} seconds */
function isDuration(seconds) {
  return Number.isInteger(seconds) && /** @type {number} */ (seconds) >= 0 && /** @type {number} */ (seconds) <= LONGEST_S;
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
  const isSeed = Number.isInteger(saved?.seed) && saved.seed >= 0 && saved.seed < SEEDS;
  if (!isSeed || typeof saved.at !== "string" || typeof saved.answers !== "object") return undefined;
  const run = newRun(saved.seed);
  for (const item of items(course, saved.seed)) {
    const {id, tasks} = item;
    if (saved.at === id) run.at = id;
    const {reply, seconds, last} = Object(Object(saved.answers)[id]), steps = Object(saved.steps)[id];
    if (!isReply(item, reply) || !isReply(item, last) || !isDuration(seconds)) continue;
    run.answers[id] = {reply, isRight: judgement(item, reply).isRight, seconds, last};
    if (Array.isArray(steps)) run.steps[id] = [...tasks.keys()].filter(i => steps.includes(i));
  }
  return run;
}

/**
 * A run with what was kept elsewhere meanwhile, whose predictions count as the first ones. Where
 * this run itself was kept before, another one in its place means that it was started over.
 * @param {Run} run
 * @param {Run | undefined} kept
 * @param {boolean} wasKept
 * @returns {Run}
 */
export function joined(run, kept, wasKept) {
  if (!kept) return run;
  const at = run.at || kept.at;
  if (wasKept && kept.seed !== run.seed) return {...kept, at};
  const steps = byId(run.steps);
  for (const [id, done] of Object.entries(kept.steps)) steps[id] = [...new Set([...done, ...steps[id] ?? []])];
  return {seed: kept.seed, at, answers: byId({...run.answers, ...kept.answers}), steps};
}
