// The default: 8 sequences of 8,192 tokens. A step at 8,442 tokens reads 14 GB of weights and 8.85 GB of
// cache in 6.93 ms, 62.5 ms of each request's 500 tokens; its prompt takes 116 ms. In all 549 ms a request.
import assert from "node:assert/strict";
import {test} from "node:test";

import {fuzz} from "../../hostile.mjs";
import {place, state, whole} from "../../state.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {sentence, rows} from "#modules/core/words/cost.mjs";

const at = (inputs = {}) => evaluate(state(inputs));

test("the changes that lower a request's price, the most first, each with what it saves", () => {
  assert.equal(sentence(at()),
    "Of the time that the GPU spends on a request, 79 % is decode. Its price falls by 39 % with twice the bandwidth, " +
    "25 % with a prompt half as long, 24 % with twice the batch, 11 % with half of the prompt cached and 11 % with twice the FLOP/s.");
});

test("where decode takes most of the time a cached prefix may save more than a larger batch, which does not fit", () => {
  const said = sentence(at({batch: 48}));
  assert.match(said, /65 % is decode\. .* 18 % with half of the prompt cached/);
  assert.match(said, /\. Twice the batch would save 7 %, but does not fit\./);
});

test("a short prompt waits for the weights: neither a shorter one nor more FLOP/s save anything", () => {
  assert.match(sentence(at({prompt: 100, output: 2})),
    / 80 % is prefill\. Its price falls by 50 % with twice the bandwidth and 10 % with twice the batch\. It changes by less than 5 % with a prompt half as long, half of the prompt cached and twice the FLOP\/s\.$/);
});

test("a price of nothing has the same levers", () => {
  assert.equal(sentence(at({usd_per_gpu_hour: 0})), sentence(at()));
});

test("the first token comes with the prefill", () => {
  const notes = output => Object.fromEntries(rows(at({output}), 1, 0).map(([what, , note]) => [what, note]));
  assert.equal(notes(1)["The whole request"], "116 ms to the first token; it never waits");
  assert.equal(notes(500)["The whole request"], "116 ms to the first token, then 499 more; it never waits");
});

/** What a change makes of the inputs, by how it is called. */
const CHANGES = {
  "twice the batch": r => ({batch: 2 * r.batch}),
  "half of the prompt cached": () => ({prefix_hit: 0.5}),
  "half of the rest of the prompt cached": r => ({prefix_hit: (1 + r.prefix_hit) / 2}),
  "a prompt half as long": r => ({prompt: Math.ceil(r.prompt_len / 2)}),
  "twice the bandwidth": r => ({bandwidth_factor: 2 * r.inputs.bandwidth_factor}),
  "twice the FLOP/s": r => ({peak_factor: 2 * r.inputs.peak_factor}),
};
const NAMES = Object.keys(CHANGES).join("|");

test("each change saves of the price what is said of it", () => {
  fuzz(chance => {
    const found = place(chance);
    if (!found) return;
    const {report} = found, said = sentence(report);
    whole(said, said);
    const busy_s = r => 1 / r.served_tokens_per_s, share = name => 1 - busy_s(evaluate({...report.inputs, ...CHANGES[name](report)})) / busy_s(report);
    const rest = said.replace(RegExp(`(?:(?<!less than )(\\d+) % with (${NAMES})|(${NAMES}) would save (\\d+) %, but does not fit)`, "gi"), (_, percent, name, over, saved) => {
      const which = (name ?? over).toLowerCase().replace("flop", "FLOP");
      const {fits} = evaluate({...report.inputs, ...CHANGES[which](report)});
      assert.ok(Math.abs(100 * share(which) - (percent ?? saved)) <= 0.5 + 1e-9 && share(which) >= 0.05, said);
      assert.ok(over ? report.fits && !fits : fits || !report.fits, said);
      return "";
    });
    const [, little = ""] = /by less than 5 % with ([^.]*)\./.exec(rest) ?? [], [, costs = ""] = /It rises with ([^.]*)\./.exec(rest) ?? [];
    for (const [name] of little.matchAll(RegExp(NAMES, "g"))) assert.ok(Math.abs(share(name)) < 0.05, said);
    for (const [name] of costs.matchAll(RegExp(NAMES, "g"))) assert.ok(share(name) <= -0.05, said);
  }, 500);
});
