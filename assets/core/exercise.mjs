// One exercise: what is right, what explains that, and what its steps lead to.
import {lockComplaint} from "./locks.mjs";
import {consistent, defaults} from "./rules.mjs";
import {defaultSettings} from "./settings.mjs";
/**
 * @import {Exercise} from "../built/exercises.mjs"
 * @typedef {number | string | string[]} Reply a number, an option's id, or all ids in order
 */

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
 * The texts that explain, with their places not filled yet: that of what was said, of a knob that
 * of the best one, too, and what is said to all.
 * @param {Exercise} exercise
 * @param {Reply} reply
 */
export function explanation(exercise, reply) {
  const {isRight, outcome} = judgement(exercise, reply), {explain, prediction: {kind}, answer: {right}} = exercise;
  // An option may have any name, and be a number that is pressed.
  const said = [String(reply), outcome, isRight ? "right" : "wrong"].find(name => Object.hasOwn(explain, name));
  const best = kind === "knob" && !isRight && Object.hasOwn(explain, right[0]) ? right[0] : undefined;
  return [said, best, "always"].filter(name => name !== undefined).map(name => explain[name]).filter(Boolean);
}

/**
 * The steps that the reader's own hand has done, with those that are reached now. One that moves
 * the same input as one before it waits for that.
 * @param {Exercise["tasks"]} tasks
 * @param {number[]} done
 * @param {Record<string, number | string>} state
 */
export function stepsDone(tasks, done, state) {
  return tasks.reduce((found, task, i) => {
    const isNew = !found.includes(i) && isReached(task, state) && !waits(tasks, found, i);
    return isNew ? [...found, i] : found;
  }, done);
}

/**
 * @param {Exercise["tasks"][number]} task
 * @param {Record<string, number | string>} state
 */
export function isReached({reach}, state) {
  return Object.entries(reach).every(([key, value]) => state[key] === value);
}

/**
 * @param {Exercise["tasks"]} tasks
 * @param {number[]} done
 * @param {number} i
 */
function waits(tasks, done, i) {
  return tasks.slice(0, i).some(({reach}, n) => !done.includes(n) && Object.keys(reach).some(key => key in tasks[i].reach));
}

/**
 * Steps that are not asked for, as they, or one that they wait for, would move what is locked.
 * @param {Exercise} exercise
 * @param {string[]} locked
 */
export function closedSteps({setups, tasks, lab}, locked) {
  /** @type {number[]} */
  const open = [];
  for (const [i, {reach}] of tasks.entries()) {
    const state = {...defaults, ...reached(setups, tasks, open)};
    const now = {...defaultSettings, ...labAt({lab, tasks, closed: []}, open)}, next = {...now, ...settings(reach)};
    const isClosed = waits(tasks, open, i) || locked.some(key => next[key] !== now[key])
      || lockComplaint(consistent(state), {...state, ...inputs(reach)}, locked);
    if (!isClosed) open.push(i);
  }
  return [...tasks.keys()].filter(i => !open.includes(i));
}

/**
 * What stands on the page once a question is answered, and these steps of it are done: what is
 * explained, unless that is the reader's own to do.
 * @param {Exercise & {closed: number[]}} exercise
 * @param {number[]} done
 */
export function standsAt({setups, tasks, closed}, done) {
  if (closed.length === tasks.length) return setups.after ?? setups.best ?? setups.before;
  return reached(setups, tasks, done.filter(i => !closed.includes(i)));
}

/**
 * The lab's settings then, where requests are replayed.
 * @param {Pick<Exercise, "lab" | "tasks"> & {closed: number[]}} exercise
 * @param {number[]} done
 * @returns {Record<string, string>}
 */
export function labAt({lab, tasks, closed}, done) {
  return Object.assign({}, lab, ...done.filter(i => !closed.includes(i)).map(i => settings(tasks[i].reach)));
}

/**
 * Where steps lead.
 * @param {Exercise["setups"]} setups
 * @param {Exercise["tasks"]} tasks
 * @param {number[]} done
 * @returns {Exercise["setups"]["before"]}
 */
function reached(setups, tasks, done) {
  return Object.assign({}, setups.before, ...done.map(i => inputs(tasks[i].reach)));
}

/** Without settings of the lab. @param {Exercise["tasks"][number]["reach"]} reach */
function inputs(reach) {
  return Object.fromEntries(Object.entries(reach).filter(([key]) => key in defaults));
}

/** Of the lab alone. @param {Exercise["tasks"][number]["reach"]} reach */
function settings(reach) {
  const those = Object.entries(reach).filter(([key]) => !(key in defaults));
  return Object.fromEntries(those.map(([key, value]) => [key, String(value)]));
}

/**
 * Whether something can have been replied.
 * @param {Exercise} exercise
 * @param {unknown} reply
 */
export function isReply({prediction: {kind, options}}, reply) {
  const ids = options.map(({id}) => id);
  if (kind === "order") return Array.isArray(reply) && reply.length === ids.length && ids.every(id => reply.includes(id));
  return ids.length ? ids.includes(String(reply)) && typeof reply === "string" : Number.isFinite(reply);
}
