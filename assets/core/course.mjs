// What the exercises ask, in which order: the path, then what the clearing test draws, then more.
import {closedSteps} from "./exercise.mjs";
/**
 * @import {Clearing, Course, Exercise} from "../built/exercises.mjs"
 * @typedef {{label: string, n: number, of: number, question: number, questions: number}} Place in the clearing test
 * @typedef {Exercise & {test: Place | null, closed: number[]}} Item with the steps that locks leave no way to
 */

/**
 * Everything that is asked: the path, then the clearing test, then the further questions.
 * @param {Course} course
 * @param {number} seed
 * @param {string[]} [locked] inputs that are not the reader's to change
 * @returns {Item[]}
 */
export function items({exercises, clearing}, seed, locked = []) {
  const [path, further] = [false, true].map(is => exercises.filter(each => each.further === is).map(each => ({...each, test: null})));
  return [...path, ...clearing ? test(clearing, seed) : [], ...further]
    .map(each => ({...each, closed: closedSteps(each, locked)}));
}

/**
 * @param {Clearing} clearing
 * @param {number} seed
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
 * All that is asked of the same deployment.
 * @param {Item[]} items
 * @param {Item} item
 */
export function together(items, {test}) {
  return test ? items.filter(each => each.test?.n === test.n) : [];
}
