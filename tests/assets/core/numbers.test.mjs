// One grammar at every door: Python reads the same corpus, in tests/app/test_numbers.py.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {parsed} from "#modules/core/numbers.mjs";

const kinds = JSON.parse(readFileSync(new URL("../../hostile/numbers.json", import.meta.url), "utf8"));

for (const [kind, {unit, takes = {}, refuses = []}] of Object.entries(kinds)) {
  test(kind, () => {
    for (const [text, value] of Object.entries(takes)) assert.equal(parsed(text, unit), Number(value), JSON.stringify(text));
    for (const text of refuses) assert.equal(parsed(text, unit), NaN, JSON.stringify(text));
  });
}

test("a long text is judged at once", () => {
  for (const text of ["1".repeat(1e6), `${"1".repeat(1e6)}x`, `${"1,".repeat(1e6)}`, `1${",111".repeat(3e5)}x`,
    " ".repeat(1e6), `1e${"1".repeat(1e6)}`, `.${"0".repeat(1e6)}x`]) parsed(text);
});

test("typed numbers are read as people write them", () => {
  for (const [value, text] of [
    [8192, "8192"],
    [8192, "8,192"],
    [1048576, " 1,048,576 "],
    [1234.5, "1,234.5"],
    [0.5, ".5"],
    [7, "7."],
    [1000, "1e3"],
    [1500, "1.5E3"],
    [0.001, "1e-3"],
    [1000, "1e+3"],
  ]) assert.equal(parsed(text), value, text);
});

test("what is no number is none", () => {
  for (const text of ["", " ", "-1", "+1", "8192,", ",819", "1 000", "0x10", "1e", "1e--3", "1,024e3", "NaN",
    "Infinity", "٨", "８", "1.2.3", "<b>1</b>"]) {
    assert.equal(parsed(text), NaN, JSON.stringify(text));
  }
});
