import assert from "node:assert/strict";
import {test} from "node:test";

let frames = [];
globalThis.requestAnimationFrame = callback => frames.push(callback);
// What follows a frame follows at once.
globalThis.setTimeout = callback => callback();
const {Repaints} = await import("#modules/parts/repaints.mjs");

/** Two figures; gives which of them have drawn, one after the other. */
function two() {
  const drawn = [];
  const figures = ["meter", "chart"].map(name => ({draw: () => drawn.push(name)}));
  return {drawn, repaints: new Repaints(figures)};
}

/** The next frame comes at this time. [ms] */
function frame(now) {
  const due = frames;
  frames = [];
  for (const each of due) each(now);
}

test("at once all are drawn, in a run one a frame, in turn", () => {
  const {drawn, repaints} = two();
  repaints.changed();
  assert.equal(repaints.draw({}, 0, false), false);
  assert.deepEqual(drawn.splice(0), ["meter", "chart"]);
  for (const now of [16, 32, 48]) {
    repaints.changed();
    assert.equal(repaints.draw({}, now, true), true);
  }
  assert.deepEqual(drawn, ["meter", "chart", "meter"]);
});

test("where frames come late figures wait, and are drawn in the end", () => {
  const {drawn, repaints} = two();
  repaints.changed();
  repaints.draw({}, 0, true);
  frame(30);
  frame(60);
  for (const now of [60, 100, 539]) {
    repaints.changed();
    assert.equal(repaints.draw({}, now, true), true);
  }
  assert.deepEqual(drawn.splice(0), ["meter"]);
  assert.equal(repaints.draw({}, 540, true), true);
  assert.equal(repaints.draw({}, 556, false), false);
  assert.deepEqual(drawn, ["chart", "meter"]);
});

test("on a quick machine none waits", () => {
  const {drawn, repaints} = two();
  for (let now = 0; now < 100; now += 16) {
    repaints.changed();
    repaints.draw({}, now, true);
    frame(now + 16);
  }
  assert.equal(drawn.length, 7);
});
