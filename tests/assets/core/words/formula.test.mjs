import assert from "node:assert/strict";
import {test} from "node:test";

import {
  add, divide, formulaTexts, less, maximum, minimum, multiply, negative, power, subtract, word,
} from "#modules/core/words/formula.mjs";

const [a, b, c] = ["a", "b", "c"].map(word);

/** The text of one formula, of quantities with these values and declarations. */
function written(write, values = {}, declared = {}, steps = {}) {
  return formulaTexts({result: write}, steps, declared).result(values, name => name);
}

function texts(rows) {
  for (const [due, piece] of rows) assert.equal(piece.text(), due);
}

test("brackets stand where they change the meaning, and only there", () => {
  texts([
    ["a + b · c", add(a, multiply(b, c))],
    ["(a + b) · c", multiply(add(a, b), c)],
    ["a − (b − c)", subtract(a, subtract(b, c))],
    ["a − b − c", subtract(subtract(a, b), c)],
    ["a / (b · c)", divide(a, multiply(b, c))],
    ["a · b / c", divide(multiply(a, b), c)],
    ["(a + b)^c", power(add(a, b), c)],
    ["a^(b + c)", power(a, add(b, c))],
    ["−(a + b)", negative(add(a, b))],
    ["max(a + b, c)", maximum(add(a, b), c)],
    ["a + b < c", less(add(a, b), c)],
  ]);
});

test("a written zero is no summand", () => {
  texts([["a", add(a, word("0"))], ["a", add(word("0"), a)], ["a", subtract(a, word("0"))]]);
  texts([["a · 1", multiply(a, word("1"))]]);   // a written one is meant
});

test("a quantity is left out at its neutral value, and only there", () => {
  const sum = (q, {x, n}) => add(x, n), product = (q, {x, n}) => multiply(x, n);
  const quotient = (q, {x, n}) => divide(x, n), least = (q, {x, n}) => minimum(x, n);
  const zero = {n: {neutral: 0}}, one = {n: {neutral: 1}}, limit = {n: {neutral: Infinity}};
  assert.equal(written(sum, {n: 0}, zero), "x");
  assert.equal(written(sum, {n: 2}, zero), "x + n");
  assert.equal(written(sum, {n: 0}), "x + n");            // nothing is declared: it is shown
  assert.equal(written(product, {n: 1}, one), "x");
  assert.equal(written(product, {n: 2}, one), "x · n");
  assert.equal(written(quotient, {n: 1}, one), "x");
  assert.equal(written(quotient, {n: 4}, one), "x / n");
  assert.equal(written(least, {n: Infinity}, limit), "x");
  assert.equal(written(least, {n: 4}, limit), "min(x, n)");
});

test("what is switched off takes its product with it", () => {
  const write = (q, {x, y, on}) => add(x, multiply(on, y));
  assert.equal(written(write, {on: 0}, {on: {neutral: 1}}), "x");
  assert.equal(written(write, {on: 1}, {on: {neutral: 1}}), "x + y");
});

test("of two names for the same amount the declared one is shown", () => {
  const write = (q, {each, n}) => multiply(each, n), declared = {each: {same_as: "all"}};
  assert.equal(written(write, {each: 7, all: 7}, declared), "all · n");
  assert.equal(written(write, {each: 7, all: 14}, declared), "each · n");
});

test("a mere step is not named, but what it is made of", () => {
  const steps = {step: (q, {x, y}) => add(x, y)};
  assert.equal(written((q, {step}) => step, {}, {}, steps), "x + y");
  assert.equal(written((q, {step, z}) => multiply(step, z), {}, {}, steps), "step · z");
});

test("a result at its neutral value is just that", () => {
  assert.equal(written((q, {x}) => x, {result: 1}, {result: {neutral: 1}}), "1");
});
