import assert from "node:assert/strict";
import {test} from "node:test";

import {shortened} from "#modules/core/text.mjs";

test("a text from outside is cut after 40 characters, whole ones", () => {
  assert.equal(shortened("x".repeat(40)), "x".repeat(40));
  assert.equal(shortened("x".repeat(41)), `${"x".repeat(39)}…`);
  assert.equal(shortened("😀".repeat(40)), "😀".repeat(40));
  assert.equal(shortened(`x${"😀".repeat(1e6)}`), `x${"😀".repeat(38)}…`);
});

test("what a page or a terminal acts upon is a blank", () => {
  assert.equal(shortened("a\u202eb"), "a b");   // would turn the rest of the sentence around
  assert.equal(shortened("\u001b[31ma\r\nb\u0000\u2028\u2066c\ufeff"), " [31ma  b   c ");
  assert.equal(shortened("a\ud800"), "a ");
  assert.equal(shortened("<b> & é ٨ 深"), "<b> & é ٨ 深");
});

test("what is no text says its type, and is not asked for a text of its own", () => {
  const mine = () => { throw new Error("asked"); };
  const values = [0.5, true, null, undefined, 8n, [8], new Float32Array(1), {toString: mine, valueOf: mine}, mine];
  assert.deepEqual(values.map(shortened),
    ["0.5", "true", "null", "undefined", "[bigint]", "[object]", "[object]", "[object]", "[function]"]);
});
