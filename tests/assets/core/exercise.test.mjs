import assert from "node:assert/strict";
import {test} from "node:test";

import {closedSteps, explanation, judgement, labAt, standsAt, stepsDone} from "#modules/core/exercise.mjs";
import {items} from "#modules/core/course.mjs";
import course from "#modules/built/exercises.mjs";
import {CHOICE, ORDER, PRESSED, TYPED} from "../exercises.mjs";

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
  // A number that is pressed may have one of its own.
  const pressed = {...PRESSED, explain: {1: "one", too_low: "low", too_high: "high", always: "all"}};
  assert.deepEqual(["1", "8", "3.3"].map(reply => explanation(pressed, reply)), [["one", "all"], ["high", "all"], ["all"]]);
  // Of a knob the best one's comes with that of another.
  const knob = {...CHOICE, prediction: {...CHOICE.prediction, kind: "knob"}, explain: {a: "a does", b: "b does", always: "all"}};
  assert.deepEqual(explanation(knob, "a"), ["a does", "b does", "all"]);
  assert.deepEqual(explanation(knob, "b"), ["b does", "all"]);
  assert.deepEqual(explanation(knob, "constructor"), ["b does", "all"]);
  assert.deepEqual(explanation(CHOICE, "constructor"), ["no", "all"]);
});

test("steps are done in any order, but one waits for an earlier one of the same input", () => {
  const tasks = [{say: "", reach: {context: 32768}}, {say: "", reach: {gqa: 1}}, {say: "", reach: {gqa: 4}}];
  const done = (before, state) => stepsDone(tasks, before, {context: 8192, gqa: 4, ...state});
  assert.deepEqual(done([], {}), []);
  assert.deepEqual(done([], {gqa: 1}), [1]);
  assert.deepEqual(done([1], {gqa: 4}), [1, 2]);
  assert.deepEqual(done([1, 2], {context: 32768, gqa: 4}), [1, 2, 0]);
  const exercise = {...CHOICE, tasks, setups: {before: {batch: 8}, after: {gqa: 1}}};
  assert.deepEqual(standsAt(exercise, []), {batch: 8});
  assert.deepEqual(standsAt(exercise, [0, 1]), {batch: 8, context: 32768, gqa: 1});
  assert.deepEqual(standsAt({...exercise, tasks: []}, []), {gqa: 1});
});

test("a step that would move what is locked is not asked for, nor one that waits for it", () => {
  const tasks = [{say: "", reach: {context: 32768}}, {say: "", reach: {gqa: 1}}, {say: "", reach: {gqa: 4}}];
  const exercise = {...CHOICE, tasks, setups: {before: {batch: 8}, after: {gqa: 1}}};
  assert.deepEqual(closedSteps(exercise, []), []);
  assert.deepEqual(closedSteps(exercise, ["batch"]), []);
  assert.deepEqual(closedSteps(exercise, ["context"]), [0]);
  assert.deepEqual(closedSteps(exercise, ["gqa"]), [1, 2]);
  // Another model has its own g: the locked one would have no say.
  assert.deepEqual(closedSteps({...exercise, tasks: [{say: "", reach: {model: "llama-3-8b"}}]}, ["gqa"]), [0]);
  // Where none is left, what is explained stands there; else no more than the open ones lead to.
  assert.deepEqual(standsAt({...exercise, closed: [0, 1, 2]}, []), {gqa: 1});
  assert.deepEqual(standsAt({...exercise, closed: [1, 2]}, [0, 1]), {batch: 8, context: 32768});
});

test("steps lead to settings of the lab, too, and those are no inputs", () => {
  const tasks = [{say: "", reach: {lengths: "fixed", prompt: 4000}}, {say: "", reach: {lengths: "bimodal"}}, {say: "", reach: {other_policy: "chunked"}}];
  const lab = {policy: "static", other_policy: "continuous", lengths: "bimodal"};
  const exercise = {...CHOICE, tasks, lab, setups: {before: {output: 200}}};
  assert.deepEqual(labAt(exercise, []), lab);
  assert.deepEqual(labAt(exercise, [0, 2]), {...lab, lengths: "fixed", other_policy: "chunked"});
  assert.deepEqual(labAt(exercise, [0, 1]), lab);
  assert.deepEqual(standsAt(exercise, [0, 1, 2]), {output: 200, prompt: 4000});
  assert.deepEqual(stepsDone(tasks, [], {...lab, prompt: 4000}), []);
  assert.deepEqual(stepsDone(tasks, [], {...lab, lengths: "fixed", prompt: 4000}), [0]);
  // A locked prompt closes the step that moves it, and what waits for that.
  assert.deepEqual(closedSteps(exercise, ["prompt"]), [0, 1]);
  assert.deepEqual(labAt({...exercise, closed: [0, 1]}, [0, 2]), {...lab, other_policy: "chunked"});
  // So does a locked setting of the lab; one that a step leaves as it is closes nothing.
  assert.deepEqual(closedSteps(exercise, ["lengths"]), [0, 1]);
  assert.deepEqual(closedSteps(exercise, ["policy", "other_policy"]), [2]);
  assert.deepEqual(closedSteps({...exercise, tasks: [{say: "", reach: {lengths: "bimodal", slots: "8"}}]}, ["lengths", "slots"]), []);
});

test("every shipped question has an answer that is judged right", () => {
  for (const item of items(course, 1)) {
    const {prediction: {kind, options}, answer: {right, value}} = item;
    const reply = kind === "order" ? right : options.length ? right[0] : value;
    assert.equal(judgement(item, reply).isRight, true, item.id);
  }
});
