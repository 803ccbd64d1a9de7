import assert from "node:assert/strict";
import {test} from "node:test";

import course from "#modules/built/exercises.mjs";
import {items} from "#modules/core/course.mjs";
import {newRun, withReply} from "#modules/core/run.mjs";
import {rightText} from "#modules/core/words/exercise.mjs";
import {
  clearance, extent, lockedIn, outcome, remark, report, rest, stepsText, whereabouts,
} from "#modules/core/words/run.mjs";
import {FASTER} from "../../exercises.mjs";

const all = items(course, 1);

test("where one is, and how it went", () => {
  const other = {...FASTER, id: "other", title: "Other", test: {label: "A chat", n: 2, of: 5, question: 1, questions: 3}, chapter: "Test"};
  const both = [FASTER, other], run = withReply(newRun(), FASTER, "4", 130);
  assert.equal(whereabouts(both, FASTER, "question"), "Question 1 of 1 · A quarter");
  assert.equal(whereabouts(both, FASTER, "answer"), "Question 1 of 1");
  assert.equal(whereabouts(both, other, "question"), "Test, deployment 2 of 5: A chat · question 1 of 3");
  assert.equal(extent(both, {path: 1, test: 12}), "1 exercise: about 1 minute. Then a test of 5 deployments: about 12 minutes.");
  assert.equal(extent([FASTER], {path: 1, test: 0}), "1 exercise: about 1 minute.");
  assert.equal(extent(all, {path: 30, test: 20}), "20 exercises: about 30 minutes. Then a test of 5 deployments: about 20 minutes. 13 further questions.");
  const more = {...FASTER, further: true};
  assert.equal(whereabouts([FASTER, more], more, "question"), "Further question 1 of 1 · A quarter");
  assert.equal(rest([FASTER, more], newRun()), "1 not answered yet.");
  assert.equal(outcome(both, newRun()), "No answers yet");
  assert.equal(outcome(both, run), "0 of 1 prediction right at first");
  assert.equal(rest(both, run), "Thinking took 2 min: from a question on the screen to its lock. 1 not answered yet.");
  assert.equal(remark(both, run, FASTER), "you said 4×, after 2 min; it is 3.30×");
  assert.equal(report(both, run), [
    "Decode arithmetic: 0 of 1 prediction right at first",
    "Thinking took 2 min: from a question on the screen to its lock. 1 not answered yet.",
    "✗ A quarter: you said 4×, after 2 min; it is 3.30×",
    "– A chat: Other: not answered",
  ].join("\n"));
  const steps = {...FASTER, tasks: [{say: "", reach: {batch: 2}}, {say: "", reach: {batch: 4}}]};
  assert.equal(stepsText(steps, newRun()), "");
  assert.equal(stepsText(steps, run), "2 steps left to do");
  assert.equal(stepsText(steps, {...run, steps: {faster: [0]}}), "1 step left to do");
});

test("of a deployment nothing is told until all of its questions are locked in", () => {
  const [one, two, three] = all.filter(({test}) => test?.n === 1);
  assert.equal(lockedIn(all, newRun(1), one), "");
  let run = withReply(newRun(1), one, one.answer.right[0], 3);
  assert.equal(lockedIn(all, run, two), `Locked in: ${rightText(one)}. You see the answers once you have given all 3.`);
  assert.equal(outcome(all, run), "No answers yet");
  assert.equal(rest(all, run), "1 locked in, and answered once all of the deployment are. 34 not answered yet.");
  assert.equal(remark(all, run, one), "locked in");
  assert.match(report(all, run), /^• .*: Where the time goes: locked in$/m);
  run = withReply(withReply(run, two, two.answer.right[0], 3), three, three.answer.value, 3);
  assert.equal(lockedIn(all, run, three), "");
  assert.equal(outcome(all, run), "3 of 3 predictions right at first; 1 of 1 deployment cleared");
  assert.equal(clearance(all, run, two), "");
  assert.equal(clearance(all, run, three), "All 3 were right at first: this deployment is cleared.");
  const wrong = {...run, answers: {...run.answers, [two.id]: {...run.answers[two.id], isRight: false}}};
  assert.equal(clearance(all, wrong, three), "2 of 3 were right at first; a deployment is cleared when all are.");
});
