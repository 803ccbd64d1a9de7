import assert from "node:assert/strict";
import {test} from "node:test";

import * as format from "#modules/core/words/format.mjs";

const {amount, count, exact, rating, kibibytes, number, percent} = format;
const {scaled, setMemoryUnit, inputText, times} = format;

/** Each row: the text that is due, and what it is made of. */
function texts(made, rows) {
  for (const [due, ...from] of rows) assert.equal(made(...from), due, `${made.name}(${from.join(", ")})`);
}

test("a number has three digits, and a large one its words", () => {
  texts(number, [
    ["0", 0],
    ["0.738", 0.7381],
    ["0.740", 0.74],
    ["0.00123", 0.001234],
    ["0.999", 0.9994],
    ["1.00", 0.9996],       // not 0.9996, not "1"
    ["4.96", 4.9649],
    ["9.99", 9.994],
    ["10.0", 9.996],
    ["219", 218.94],
    ["999", 999.4],
    ["1,000", 999.94],
    ["1,000", 999.96],
    ["2,550", 2552.7],
    ["999,000", 999499],
    ["1.00 million", 999500],
    ["11.1 million", 11085577],
    ["1.23 billion", 1234567890],
    ["-4.96", -4.9649],
    ["-2,550", -2553],
    ["∞", Infinity],
    ["∞", NaN],
  ]);
});

test("a count stays whole", () => {
  texts(count, [["8,192", 8192], ["1", 1], ["0", 0], ["0.5", 0.5], ["61.5", 61.5], ["1,048,576", 2 ** 20], ["7 billion", 7e9], ["70.6 billion", 70553706496]]);
});

test("a setting stands as it was set", () => {
  texts(inputText, [["8,192", 8192], ["0.7", 0.7], ["12.34", 12.34], ["1.23457", 1.234567], ["7", 7]]);
});

test("an amount is shown in the unit that suits its size", () => {
  texts(amount, [
    ["22.6 GB", 22.6e9, "B"],
    ["137 GB", 137.44e9, "B"],
    ["1,530 GB", 1.5262e12, "B"],
    ["15.3 TB", 15.262e12, "B"],
    ["0.512 GB", 512e6, "B"],
    ["51.2 MB", 51.2e6, "B"],
    ["13.6 ms", 0.01361, "s"],
    ["2.50 s", 2.5, "s"],
    ["219 tokens/s", 218.94, "tokens/s"],
    ["8,190 tokens/s", 8192, "tokens/s"],
    ["8,192 tokens", 8192, "tokens"],
    ["1 token", 1, "tokens"],
    ["2 bytes", 2, "B"],
    ["1 byte", 1, "B"],
    ["300 FLOP/byte", 300, "FLOP/B"],
    ["0.740 FLOP/byte", 0.74, "FLOP/B"],
    ["0.5 bytes", 0.5, "B"],
    ["-22.6 GB", -22.6e9, "B"],
    ["64", 64, ""],
    ["0.5", 0.5, ""],
  ]);
});

test("memory is shown in binary units where that is asked for, until it is not", () => {
  setMemoryUnit("GiB");
  texts(amount, [["1.00 GiB", 2 ** 30, "B"], ["74.5 GiB", 80e9, "B"]]);
  setMemoryUnit("GB");
  texts(amount, [["1.07 GB", 2 ** 30, "B"]]);
});

test("number and unit can be had apart", () => {
  assert.deepEqual(scaled(22.6e9, "B"), {number: "22.6", unit: "GB"});
  assert.deepEqual(scaled(0.5, ""), {number: "0.5", unit: ""});
  assert.deepEqual(kibibytes(131072), {number: "128", unit: "KiB"});
  assert.deepEqual(kibibytes(1536), {number: "1.50", unit: "KiB"});
});

test("what the hardware is given has up to four digits, and no empty ones", () => {
  texts(rating, [["80 GB", 80e9, "B"], ["3.35 TB/s", 3.35e12, "B/s"], ["989.5 TFLOP/s", 989.5e12, "FLOP/s"]]);
});

test("ratios and shares", () => {
  texts(times, [["3.30×", 3.3], ["0.738×", 0.738], ["9.99×", 9.994], ["10×", 9.996], ["61×", 61.4], ["999×", 999.4], ["1,020×", 1024], ["110,000×", 110000]]);
  texts(percent, [["0 %", 0], ["under 1 %", 0.004], ["1 %", 0.006], ["38 %", 0.381], ["99 %", 0.99], ["over 99 %", 599 / 600], ["over 99 %", 1 - 1e-6], ["100 %", 1 - 1e-15], ["100 %", 1], ["189 %", 1.893], ["999 %", 9.99], ["12.5 times", 12.5], ["111,000 times", 110855.77]]);
});

test("all digits on request", () => {
  texts(exact, [["137,438,953,472 bytes", 2 ** 37, "B"], ["0.1", 0.1, ""]]);
});
