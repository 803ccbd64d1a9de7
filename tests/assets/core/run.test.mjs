import assert from "node:assert/strict";
import {test} from "node:test";

import {items} from "#modules/core/course.mjs";
import {
  afterLock, beside, freshRun, isHeld, joined, newRun, result, savedRun, standing, stepsLeft, withReply, withSteps,
} from "#modules/core/run.mjs";
import {CHOICE, COURSE, ORDER, TYPED} from "../exercises.mjs";

test("the first prediction is kept, with its time", () => {
  const first = withReply(newRun(), CHOICE, "a", 12), second = withReply(first, CHOICE, "b", 3);
  assert.deepEqual({...second.answers}, {choice: {reply: "a", isRight: false, seconds: 12, last: "b"}});
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

test("no answer of a deployment is told before all of its questions are locked in", () => {
  const all = items(COURSE, 3), [one, two, next] = all.filter(({test}) => test), at = all.indexOf(one);
  let run = withReply(newRun(3), two, 10, 1);
  assert.equal(isHeld(all, run, two), true);
  assert.equal(isHeld(all, run, one), false);
  assert.equal(standing(all, run, two), "held");
  // What is held is gone past, both ways.
  assert.equal(beside(all, run, at, 1), next);
  assert.equal(beside(all, run, at + 2, -1), one);
  assert.equal(beside(all, run, all.length - 1, 1), undefined);
  assert.equal(afterLock(all, run, two), one);
  assert.deepEqual(result(all, run).done, []);
  run = withReply(run, one, "a", 1);
  assert.equal(afterLock(all, run, one), one);
  assert.deepEqual([standing(all, run, one), standing(all, run, two)], ["wrong", "right"]);
  assert.equal(afterLock(all, run, all[0]), all[0]);
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
  assert.deepEqual(savedRun(JSON.stringify({seed: 1, at: "", answers}), COURSE).answers, newRun().answers);
  // Whether it was right is found anew: the question may have changed.
  const other = JSON.stringify({...run, answers: {choice: {...run.answers.choice, isRight: false}}});
  assert.equal(savedRun(other, COURSE).answers.choice.isRight, true);
  assert.deepEqual(savedRun('{"seed":1,"at":"","answers":null}', COURSE).answers, newRun().answers);
});

test("of a text that was tampered with only what a page writes is taken", () => {
  for (const seed of ["-1", "1e21", "4294967296", '"1"', "1e400"]) {
    assert.equal(savedRun(`{"seed":${seed},"at":"","answers":{}}`, COURSE), undefined, seed);
  }
  for (const seconds of ['"5"', "1e308", "1e400", "9007199254740991", "-1", "0.5", "null", "[5]", "true"]) {
    const text = `{"seed":1,"at":"gone","answers":{"choice":{"reply":"a","last":"a","seconds":${seconds}}},"steps":{"choice":[0]}}`;
    assert.deepEqual(savedRun(text, COURSE), newRun(1), seconds);
  }
  // The last of all seeds has one after it.
  assert.equal(freshRun(newRun(2 ** 32 - 1)).seed, 0);
});

test("what two pages keep is one run, in which the first prediction is the one that was kept first", () => {
  const one = withReply(withReply(newRun(1), CHOICE, "a", 3), TYPED, 10, 4);
  const other = {...withReply(withReply(newRun(2), CHOICE, "b", 5), ORDER, ["c", "a", "b"], 6), at: "order"};
  assert.equal(joined(other, undefined, true), other);
  const both = joined(other, withSteps(one, CHOICE, [0, 2]), false);
  assert.deepEqual([both.seed, both.at], [1, "order"]);
  assert.deepEqual({...both.answers}, {...one.answers, order: other.answers.order});
  assert.deepEqual({...joined(withSteps(both, CHOICE, [1, 2]), withSteps(one, CHOICE, [0, 2]), true).steps}, {choice: [0, 2, 1]});
  // Started over in one page, it is so in the other.
  assert.deepEqual(joined(both, freshRun(both), true), {...newRun(2), at: "order"});
});

test("steps that are done are kept with a run", () => {
  const exercise = {...CHOICE, tasks: [{say: "", reach: {context: 32768}}, {say: "", reach: {gqa: 1}}, {say: "", reach: {gqa: 4}}]};
  const run = withSteps(newRun(), exercise, [1]);
  assert.equal(stepsLeft(run, exercise), 2);
  assert.equal(stepsLeft(run, {...exercise, closed: [0]}), 1);
  const course = {exercises: [exercise], clearing: null}, answered = withReply(run, exercise, "b", 1);
  assert.deepEqual(savedRun(JSON.stringify({...answered, steps: {choice: [1, 7, "x"], gone: [0]}}), course).steps.choice, [1]);
});

test("an id that every object has a property of is no less open than another", () => {
  const exercise = {...CHOICE, id: "constructor", tasks: [{say: "", reach: {gqa: 1}}]}, course = {exercises: [exercise], clearing: null};
  const [item] = items(course, 0);
  for (const run of [newRun(), withSteps(newRun(), CHOICE, [0]), withReply(newRun(), CHOICE, "a", 1), joined(newRun(), newRun(), false),
    savedRun(JSON.stringify(newRun()), course)]) {
    assert.deepEqual([standing([item], run, item), stepsLeft(run, item)], ["open", 1]);
    assert.equal(withReply(run, exercise, "b", 5).answers.constructor.seconds, 5);
    assert.deepEqual(joined(run, withSteps(run, exercise, [0]), true).steps.constructor, [0]);
  }
  const answered = withReply(newRun(), exercise, "b", 5);
  assert.deepEqual(savedRun(JSON.stringify(answered), course), answered);
});
