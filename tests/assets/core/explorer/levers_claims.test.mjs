// Random states: what the sentence of the levers claims is held against the numbers.
import assert from "node:assert/strict";
import {test} from "node:test";

import {fuzz} from "../../hostile.mjs";
import {place, state, whole} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {levers} from "#modules/built/explorer.mjs";
import {MEASURES, filled, pulls, ranked} from "#modules/core/explorer/levers.mjs";
import {consistent} from "#modules/core/rules.mjs";
import {sentence, value} from "#modules/core/words/levers.mjs";

/** What is said of a place by a measure, and by which pulls. */
function said({state: now, report}, measure, isFull) {
  const before = isFull ? filled(now, report) : report, found = ranked(measure, before, pulls(now, isFull));
  return {before, found, text: sentence(measure, before, found)};
}

const placeOf = inputs => consistent({...state(), ...inputs});
const at = (inputs, name, isFull) => said(placeOf(inputs), MEASURES[name], isFull).text;
const number = text => Number(text.replaceAll(",", ""));
const near = (one, other, within = 0.01) => Math.abs(one / other - 1) <= within;
const label = levers.map(each => each.label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");

/** What a sentence says of one pull: its words, and whether the numbers bear it out. */
const CLAIMS = [
  // The gain where no other batch is served.
  [/that makes ([\d.,]+)× the speed/, ([, times], b, {gain}) => near(number(times), gain, 0.02)],
  [/([\d.,]+)× the speed without guesses/, ([, times], b, {report}) => near(number(times), report.spec_speedup)],
  [/where ([\d,]+) made ([\d.,]+)×/, ([, k, times], b) => number(k) === b.n_drafted && near(number(times), b.spec_speedup)],
  [/([\d,]+) sequences? fits? then instead of ([\d,]+); with as many as before it would be ([\d.,]+)×/, ([, is, was, times], b, {report, state: after}, measure) =>
    number(is) === report.batch && number(was) === b.batch && report.fits && b.fits && report.batch === report.max_batch
    && near(number(times), evaluate({...after, batch: b.batch})[measure.quantity] / b[measure.quantity], 0.02)],
  [/decode computes no prompts/, (_, b, {lever, gain}) => lever.key === "prefix_hit" && gain === 1],
  [/: but |undefined|NaN/, () => false],
];

test("what is said of single changes is so in the numbers", () => {
  const kinds = new Set();
  fuzz(chance => {
    const found = place(chance);
    if (!found) return;
    for (const measure of Object.values(MEASURES)) {
      for (const isFull of [false, true]) {
        const {before, found: all, text} = said(found, measure, isFull), of = name => all.find(({lever}) => lever.label === name);
        whole(text, text);
        const none = /^Not one sequence fits(?: now; ([\d,]+) do(?:es)? with (.*?)(?:: |\.$))?/.exec(text);
        assert.equal(Boolean(none), isFull && found.report.max_batch < 1, text);
        if (none) {
          kinds.add("none");
          assert.ok(none[2] ? of(none[2]).report.max_batch === number(none[1]) && of(none[2]).report.fits : !all.length, text);
          continue;
        }
        const [, helps, ofWhatFits, then] = RegExp(`(${label}) helps most( of what fits)?: .*?(, and it fits then)?[.:,]`).exec(text) ?? [];
        if (helps) {
          const best = of(helps);
          assert.ok(best.gain > 1.005 && (measure === MEASURES.room || best.report.fits), text);
          assert.ok(!all.some(each => each.report.fits && each.gain > best.gain * 1.0001), text);
          assert.ok(!then || !before.fits && best.report.fits, text);
          assert.ok(text.includes(`to ${value(measure, best.report)}`), text);
          holds(text.split(/\. (?=[A-Z])/)[0], before, best, measure);
        } else {
          assert.match(text, /^No single change/);
          assert.ok(!all.some(each => each.gain > 1.005 && (each.report.fits || measure === MEASURES.room)), text);
        }
        const [, over] = RegExp(`(?:^|\\. )(${label}) would bring more, `).exec(text) ?? [];
        assert.ok(!ofWhatFits || over, text);
        if (over) assert.ok(!of(over).report.fits && (!helps || of(over).gain > of(helps).gain), text);
        const [, idle] = RegExp(`(?:^|\\. )(${label}) changes nothing here`).exec(text) ?? [];
        if (idle) {
          assert.ok(Math.abs(of(idle).gain - 1) <= 0.005 && of(idle).report.fits === before.fits, text);
          holds(text.slice(text.indexOf(`${idle} changes nothing`)), before, of(idle), measure);
        }
        for (const [kind, is] of Object.entries({helps, over, idle, fuller: / then instead of /.test(text)})) if (is) kinds.add(kind);
      }
    }
  }, 150);
  assert.deepEqual([...kinds].sort(), ["fuller", "helps", "idle", "none", "over"]);
});

function holds(words, before, pull, measure) {
  for (const [pattern, isSo] of CLAIMS) {
    const found = pattern.exec(words);
    if (found) assert.ok(isSo(found, before, pull, measure), words);
  }
}

test("a fuller batch is the cause where it is", () => {
  // 160e9 − 141e9 bytes hold 7 sequences of 8,192 · 327,680 bytes, twice as many GPUs 66.
  assert.match(at({model: "llama-3-70b", gpus: 2}, "together", true),
    /^GPUs × 2 helps most: all users together, from 289 to 2,740 tokens\/s: 66 sequences fit then instead of 7; with as many as before it would be 2\.00×\./);
  assert.match(at({}, "user", true), /, from 41\.5 to 101 tokens\/s: 57 sequences fit then instead of 61; with as many as before it would be 2\.31×\./);
});

test("where not one sequence fits it is said what makes some fit", () => {
  assert.equal(at({params_b: 70}, "together", true),
    "Not one sequence fits now; 8 do with Weights alone at 4 bit: all users together, 339 tokens/s.");
  assert.equal(at({params_b: 405}, "together", true), "Not one sequence fits, nor does one after any single change.");
});

test("what does not fit does not help most", () => {
  assert.match(at({gpu: "l4", batch: 4, assumptions: "engine"}, "together", false),
    /^Weights alone at 4 bit helps most of what fits: .* Speculation with 4 drafted tokens would bring more, 126 tokens\/s, but does not fit\. /);
});

test("decode never computes prompts, whatever it waits for", () => {
  assert.match(at({params_b: 13, gpu: "gb300", context: 2048, weights: "fp32", assumptions: "engine", prompt: 10000}, "together", true),
    / Half of each prompt cached changes nothing here: decode computes no prompts\.$/);
});
