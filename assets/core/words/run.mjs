// What a run through the exercises says: where one is, what came of it, the whole as text.
import {together} from "../course.mjs";
import {isHeld, result, standing, stepsLeft} from "../run.mjs";
import {replyText, rightText} from "./exercise.mjs";
import {count} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {Course} from "../../built/exercises.mjs"
 * @import {Item} from "../course.mjs"
 * @import {Run} from "../run.mjs"
 */

/** Signs for what came of an item. */
export const MARKS = {right: "✓", wrong: "✗", held: "•", open: "–"};

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
 * @param {string} what is looked at: "question", or "answer"
 */
export function whereabouts(items, {id, test, title, further}, what) {
  if (test) return `Test, deployment ${test.n} of ${test.of}: ${test.label} · ${what} ${test.question} of ${test.questions}`;
  const all = items.filter(each => !each.test && each.further === further), n = all.findIndex(each => each.id === id) + 1;
  return `${further ? "Further question" : "Question"} ${n} of ${all.length}${what === "answer" ? "" : ` · ${title}`}`;
}

/**
 * How much there is: "20 exercises: about 30 minutes. Then a test of 5 deployments: about 20 minutes. 8 further questions."
 * @param {Item[]} items
 * @param {Course["minutes"]} minutes
 */
export function extent(items, minutes) {
  const further = items.filter(each => each.further), of = items.find(({test}) => test)?.test?.of;
  const path = items.filter(each => !each.test && !each.further);
  return [
    `${many(path.length, "exercise")}: about ${many(minutes.path, "minute")}.`,
    ...of ? [`Then a test of ${many(of, "deployment")}: about ${many(minutes.test, "minute")}.`] : [],
    ...further.length ? [`${many(further.length, "further question")}.`] : [],
  ].join(" ");
}

/**
 * What of a deployment is locked in already, while the rest is asked; nothing where that is nothing.
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function lockedIn(items, run, item) {
  const all = together(items, item), held = all.filter(each => isHeld(items, run, each));
  if (!held.length) return "";
  const texts = held.map(each => replyText(each, run.answers[each.id].reply));
  return `Locked in: ${texts.join(" · ")}. You see the answers once you have given all ${count(all.length)}.`;
}

/**
 * What became of a deployment, with its last answer.
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function clearance(items, run, item) {
  const all = together(items, item), right = all.filter(({id}) => run.answers[id].isRight);
  if (item !== all.at(-1)) return "";
  if (right.length === all.length) return `All ${count(all.length)} were right at first: this deployment is cleared.`;
  return `${right.length} of ${count(all.length)} were right at first; a deployment is cleared when all are.`;
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
  const {done, right, tried, cleared} = result(items, run);
  if (!done.length) return "No answers yet";
  const test = tried ? `; ${cleared} of ${many(tried, "deployment")} cleared` : "";
  return `${right.length} of ${many(done.length, "prediction")} right at first${test}`;
}

/**
 * What the outcome leaves out: the time, and what is not there yet.
 * @param {Item[]} items
 * @param {Run} run
 */
export function rest(items, run) {
  const {done, seconds, held, left} = result(items, run);
  return [
    ...done.length ? [`Thinking took ${duration(seconds)}: from a question on the screen to its lock.`] : [],
    ...held.length ? [`${count(held.length)} locked in, and answered once all of the deployment are.`] : [],
    ...left.length ? [`${count(left.length)} not answered yet.`] : [],
  ].join(" ");
}

/**
 * What is left to the reader's own hand once an item is answered; nothing where that is nothing.
 * @param {Item} item
 * @param {Run} run
 */
export function stepsText(item, run) {
  const left = run.answers[item.id] ? stepsLeft(run, item) : 0;
  return left ? `${many(left, "step")} left to do` : "";
}

/**
 * The first reply to one item, and what is right.
 * @param {Item[]} items
 * @param {Run} run
 * @param {Item} item
 */
export function remark(items, run, item) {
  const answer = run.answers[item.id];
  if (!answer) return "not answered";
  if (isHeld(items, run, item)) return "locked in";
  const was = replyText(item, answer.reply), time = `after ${duration(answer.seconds)}`;
  const quoted = (/** @type {string} */ text) => item.prediction.kind === "number" ? text : `“${text}”`;
  return answer.isRight ? `${was}, ${time}` : `you said ${quoted(was)}, ${time}; it is ${quoted(rightText(item))}`;
}

/**
 * The whole as text, to be copied.
 * @param {Item[]} items
 * @param {Run} run
 */
export function report(items, run) {
  const lines = items.map(item => `${MARKS[standing(items, run, item)]} ${name(item)}: ${remark(items, run, item)}`);
  return [`Decode arithmetic: ${outcome(items, run)}`, rest(items, run), ...lines].join("\n");
}
