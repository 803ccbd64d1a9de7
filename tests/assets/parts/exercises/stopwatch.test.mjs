import assert from "node:assert/strict";
import {test} from "node:test";

import {stopwatch} from "#modules/parts/exercises/stopwatch.mjs";

test("only time in which the page is seen counts", t => {
  let now = 5000;
  t.mock.method(performance, "now", () => now);
  const page = globalThis.document = Object.assign(new EventTarget(), {hidden: false});
  const clock = stopwatch(), see = hidden => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  clock.start();
  now += 3000;
  assert.equal(clock.seconds, 3);
  see(true);
  now += 60_000;
  assert.equal(clock.seconds, 3);
  see(false);
  now += 2000;
  assert.equal(clock.seconds, 5);
  clock.start();
  now += 1000;
  assert.equal(clock.seconds, 1);
  clock.close();
  see(true);
  see(false);
  assert.equal(clock.seconds, 1);
});
