import assert from "node:assert/strict";
import {test} from "node:test";

import {explanation, items, judgement, newRun, result, savedRun, withReply} from "#modules/core/exercise.mjs";
import course from "#modules/built/exercises.mjs";

const asked = {text: "", question: "", veiled: [], hints: [], explain: {always: "all"}, term: "", tasks: [], chapter: "", setups: {before: {}}};

/** An exercise of a kind, and what is right. */
function exercise(kind, options, answer, explain = {}) {
  return {...asked, id: kind, title: kind, prediction: {kind, metric: "step_s", unit: "×", options}, answer, explain: {always: "all", ...explain}};
}

const TYPED = exercise("number", [], {right: [], value: 10, low: 9, high: 11}, {too_low: "low", wrong: "no", right: "yes"});
const PRESSED = exercise("number", [{id: "1", value: 1}, {id: "3.3", value: 3.3}, {id: "8", value: 8}], {right: ["3.3"], value: 3.296});
const CHOICE = exercise("choice", [{id: "a", label: "A"}, {id: "b", label: "B"}], {right: ["b"]}, {a: "not a", wrong: "no"});
const ORDER = exercise("order", [{id: "a"}, {id: "b"}, {id: "c"}], {right: ["c", "a", "b"]});

/** A test of deployments a to h, with two questions each. */
const CLEARING = {
  title: "Test", text: "Begin.", drawn: 5, questions: [CHOICE, TYPED],
  deployments: [..."abcdefgh"].map(id => ({id, label: id.toUpperCase(), text: `It is ${id}.`,
    cases: [CHOICE, TYPED].map(({setups, answer}) => ({setups, answer}))})),
};
const COURSE = {exercises: [TYPED, CHOICE, ORDER], clearing: CLEARING};

test("a typed number is right within its bounds, and too low or too high beyond", () => {
  for (const reply of [9, 10, 11]) assert.deepEqual(judgement(TYPED, reply), {isRight: true, outcome: ""});
  assert.deepEqual(judgement(TYPED, 8.99), {isRight: false, outcome: "too_low"});
  assert.deepEqual(judgement(TYPED, 11.01), {isRight: false, outcome: "too_high"});
});

test("of numbers to press one is right, and the others lie below or above", () => {
  assert.equal(judgement(PRESSED, "3.3").isRight, true);
  assert.equal(judgement(PRESSED, "1").outcome, "too_low");
  assert.equal(judgement(PRESSED, "8").outcome, "too_high");
});

test("an option, and an order as a whole", () => {
  assert.deepEqual(judgement(CHOICE, "b"), {isRight: true, outcome: "b"});
  assert.deepEqual(judgement(CHOICE, "a"), {isRight: false, outcome: "a"});
  assert.equal(judgement(ORDER, ["c", "a", "b"]).isRight, true);
  assert.equal(judgement(ORDER, ["a", "b", "c"]).isRight, false);
});

test("what was said has its own text, else right or wrong has; then comes what is said to all", () => {
  assert.deepEqual(explanation(TYPED, 1), ["low", "all"]);
  assert.deepEqual(explanation(TYPED, 99), ["no", "all"]);
  assert.deepEqual(explanation(TYPED, 10), ["yes", "all"]);
  assert.deepEqual(explanation(CHOICE, "a"), ["not a", "all"]);
  assert.deepEqual(explanation(CHOICE, "b"), ["all"]);
});

test("the first prediction is kept, with its time", () => {
  const first = withReply(newRun(), CHOICE, "a", 12), second = withReply(first, CHOICE, "b", 3);
  assert.deepEqual(second.answers, {choice: {reply: "a", isRight: false, seconds: 12, last: "b"}});
  assert.deepEqual(first.answers.choice.last, "a");
});

test("the test is drawn from a seed: five of eight, each once, with all of its questions", () => {
  const drawn = seed => items(COURSE, seed).filter(({test}) => test);
  assert.deepEqual(drawn(7), drawn(7));
  assert.ok(new Set(Array.from({length: 50}, (_, seed) => drawn(seed).map(({id}) => id).join())).size > 25);
  for (let seed = 0; seed < 50; seed++) {
    const ids = drawn(seed).map(({id}) => id);
    assert.equal(new Set(ids).size, 10);
    assert.equal(new Set(drawn(seed).map(({test}) => test.label)).size, 5);
  }
  const [first, second] = drawn(1);
  assert.match(first.text, /^Begin\.\n\nIt is \w\.$/);
  assert.match(second.text, /^It is \w\.$/);
  assert.deepEqual({...second.test, label: ""}, {label: "", n: 1, of: 5, question: 2, questions: 2});
});

test("what came of a run", () => {
  const run = withReply(withReply(newRun(), TYPED, 10, 5), CHOICE, "a", 7), all = items(COURSE, 0);
  const {done, right, again, seconds} = result(all, run);
  assert.deepEqual([done, right, again].map(list => list.map(({id}) => id)), [["number", "choice"], ["number"], ["choice"]]);
  assert.equal(seconds, 12);
});

test("a deployment is cleared once all of its questions were right at first", () => {
  const all = items(COURSE, 3), [first, second, third, fourth] = all.filter(({test}) => test);
  let run = withReply(newRun(3), first, "b", 1);
  const count = () => [result(all, run).tried, result(all, run).cleared];
  assert.deepEqual(count(), [0, 0]);
  run = withReply(run, second, 10, 1);
  assert.deepEqual(count(), [1, 1]);
  run = withReply(withReply(run, third, "a", 1), fourth, 10, 1);
  run = withReply(run, third, "b", 1);
  assert.deepEqual(count(), [2, 1]);
});

test("a run that was kept goes on, whatever else the text has", () => {
  const run = {...withReply(withReply(newRun(9), ORDER, ["a", "b", "c"], 5), CHOICE, "b", 7), at: "choice"};
  assert.deepEqual(savedRun(JSON.stringify(run), COURSE), run);
  for (const text of [null, "", "{", "null", "1", "[]", '{"seed":1}', '{"seed":1.5,"at":"","answers":{}}', '{"seed":1,"at":2,"answers":{}}']) {
    assert.equal(savedRun(text, COURSE), undefined, text);
  }
  const answers = {
    number: {reply: "1", last: 1, seconds: 1}, choice: {reply: "z", last: "a", seconds: 1},
    order: {reply: ["a", "a", "b"], last: ["a", "b", "c"], seconds: 1}, gone: {reply: 1, last: 1, seconds: 1},
  };
  assert.deepEqual(savedRun(JSON.stringify({seed: 1, at: "", answers}), COURSE).answers, {});
  // Whether it was right is found anew: the question may have changed.
  const other = JSON.stringify({...run, answers: {choice: {...run.answers.choice, isRight: false}}});
  assert.equal(savedRun(other, COURSE).answers.choice.isRight, true);
  assert.deepEqual(savedRun('{"seed":1,"at":"","answers":null}', COURSE).answers, {});
});

test("every shipped question has an answer that is judged right", () => {
  for (const item of items(course, 1)) {
    const {prediction: {kind, options}, answer: {right, value}} = item;
    const reply = kind === "order" ? right : options.length ? right[0] : value;
    assert.equal(judgement(item, reply).isRight, true, item.id);
  }
});
