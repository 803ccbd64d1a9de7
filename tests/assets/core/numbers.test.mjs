// One grammar at every door: Python reads the same corpus, in tests/app/test_numbers.py.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";

import {parsed} from "#modules/core/words/format.mjs";

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
