import assert from "node:assert/strict";
import {test} from "node:test";

import course from "#modules/built/exercises.mjs";
import {explanation} from "#modules/core/exercise.mjs";
import {items} from "#modules/core/course.mjs";
import {cited, comparison, filled, optionText, replyText, rightText, typedReply, verdict, wantedNumber} from "#modules/core/words/exercise.mjs";
import {setMemoryUnit} from "#modules/core/words/format.mjs";
import {FASTER} from "../../exercises.mjs";
import {whole} from "../../state.mjs";

const all = items(course, 1);

test("quantities are cited as the page shows them", () => {
  assert.equal(cited("weight_bytes", 14e9), "14.0 GB");
  assert.equal(cited("kv_read_fraction", 0.0712), "7 %");
  assert.equal(cited("decode_times_from_ridge", 60.5), "61×");
  assert.equal(cited("kv_bytes_per_token", 131072), "128 KiB");
  assert.equal(cited("usd_per_million_output_tokens", 2.3149), "$2.31");
  assert.equal(cited("usd_per_gpu_hour", 3), "$3.00");
  assert.equal(cited("bound", "comms"), "communication-bound");
  assert.equal(cited("fits", false), "does not fit");
  assert.equal(cited("acceptance", 0.4), "40 %");
  assert.equal(cited("max_batch", 501), "501");
  assert.equal(cited("context_len", 8192), "8,192 tokens");
  assert.equal(cited("hbm_bytes", 80e9), "80 GB");
  assert.equal(cited("hbm_bytes_per_s", 3.35e12), "3.35 TB/s");
  assert.equal(cited("hbm_used_bytes", 80e9), "80.0 GB");
});

test("places in a text are filled from the set-ups", () => {
  assert.equal(filled("{before.kv_bytes}, {after.weight_bytes}, {after/before.tokens_per_s}; {{said}}: {said}, {is}", FASTER, "4"),
    "1.07\u00a0GB, 3.50\u00a0GB, 3.30×; {said}: 4×, 3.30×");
});

test("a number is compared in its unit", () => {
  assert.equal(verdict(FASTER, "4", false), "You said 4×, it is 3.30×.");
  assert.equal(verdict(FASTER, "3.3", true), "Right: it is 3.30×.");
  const typed = {...FASTER, prediction: {...FASTER.prediction, unit: "GB", options: []}, answer: {right: [], value: 1.0737}};
  assert.equal(verdict(typed, 1, true), "Right: you said 1 GB, it is 1.07 GB.");
  assert.equal(replyText(typed, -0.5), "−0.5 GB");
  const dollars = {...typed, prediction: {...typed.prediction, unit: "USD"}};
  assert.equal(rightText(dollars), "$1.07");
  const counted = {...typed, prediction: {...typed.prediction, unit: ""}, answer: {right: [], value: 501}};
  assert.equal(rightText(counted), "501");
});

test("a typed number may have its unit behind it", () => {
  const typed = (text, unit) => typedReply(text, {...FASTER.prediction, unit});
  for (const text of ["28", "28%", " 28 % "]) assert.equal(typed(text, "%"), 28);
  for (const text of ["1.5", "1.5x", "1.5×", "1.5 X"]) assert.equal(typed(text, "×"), 1.5);
  assert.equal(typed("−2 gb", "GB"), -2);
  assert.equal(typed("32K tokens", "tokens"), 32768);
  for (const text of ["", "%", "5 ms", "x5", "5 %%"]) assert.ok(Number.isNaN(typed(text, text === "5 ms" ? "s" : "%")), text);
});

test("another unit than the one asked for is no number, and the sentence names that", () => {
  const wanted = unit => wantedNumber({...FASTER.prediction, unit});
  for (const text of ["0.5GiB", "512 MB"]) assert.ok(Number.isNaN(typedReply(text, {...FASTER.prediction, unit: "GB"})), text);
  assert.equal(wanted("GB"), "Type a number in GB, such as 12 or 0.5.");
  assert.equal(wanted(""), "Type a number, such as 12 or 0.5.");
  setMemoryUnit("GiB");
  assert.equal(wanted("GB"), "Type a number in GiB, such as 12 or 0.5.");
  setMemoryUnit("GB");
});

test("a direction says from where to where", () => {
  const falls = {
    ...FASTER, prediction: {kind: "direction", metric: "ttft_s", options: [{id: "up", label: "It rises"}, {id: "same", label: "It stays"}]},
    answer: {right: ["same"], values: {before: 0.11584, after: 0.11584}},
  };
  assert.equal(verdict(falls, "up", false), "You said “It rises”. It stays: 116 ms.");
  assert.equal(verdict({...falls, answer: {right: ["up"], values: {before: 0.1, after: 0.2}}}, "up", true), "Right. It rises: from 100 ms to 200 ms.");
});

test("options stand beside each other with what they give, the best first", () => {
  const knob = {
    ...FASTER, prediction: {kind: "knob", metric: "max_batch", options: [{id: "a", label: "A"}, {id: "b", label: "B"}, {id: "c", label: "C"}]},
    answer: {right: ["b"], values: {a: 5, b: 30, c: 60}, fits: {a: true, b: true, c: false}},
  };
  assert.deepEqual(comparison(knob, "a"), [
    {label: "B", value: "30", isReply: false}, {label: "A", value: "5", isReply: true}, {label: "C", value: "60, does not fit", isReply: false},
    // (80 − 14.0 GB) / 1.07 GB: what there is room for today.
    {label: "As it is", value: "61", isReply: false},
  ]);
  assert.equal(verdict(knob, "a", false), "You said “A”. It is “B”.");
  assert.deepEqual(comparison(FASTER, "4"), []);
  const order = {...knob, prediction: {...knob.prediction, kind: "order"}, answer: {...knob.answer, right: ["b", "a", "c"]}};
  assert.deepEqual(comparison(order, ["a", "b", "c"]).map(({label}) => label), ["B", "A", "C", "As it is"]);
  assert.equal(verdict(order, ["a", "b", "c"], false), "It is B, then A, then C.");
});

test("nothing is missing in any text of any shipped question, whatever was said", () => {
  for (const item of all) {
    const {prediction, answer, hints, tasks} = item, {options} = prediction;
    const said = prediction.kind === "order" ? [answer.right, [...answer.right].reverse()]
      : options.length ? options.map(({id}) => id) : [answer.value, 2 * answer.value, answer.value / 2];
    for (const text of [item.text, item.question, ...hints, ...tasks.map(({say}) => say)]) whole(filled(text, item), item.id);
    for (const option of options) whole(optionText(option, prediction), item.id);
    for (const each of said) {
      for (const text of explanation(item, each)) whole(filled(text, item, each), item.id);
      whole(verdict(item, each, true), item.id);
      whole(verdict(item, each, false), item.id);
      for (const {label, value} of comparison(item, each)) whole(label + value, item.id);
    }
  }
});

test("what is replayed is cited from the replay, and all else from the scenario", () => {
  const lab = {policy: "continuous", allocator: "paged", requests: "1", lengths: "fixed", rate: "0", slots: "1", chunk: "512", block: "16", seed: "1"};
  const replayed = {
    ...FASTER, setups: {before: {prompt: 2000, output: 2}}, replays: {before: lab}, lab: {...lab},
    prediction: {kind: "choice", metric: "makespan_s", options: [{id: "a", label: "A"}]}, answer: {right: ["a"], value: 0.0326},
  };
  // 2,000 tokens of prompt take 28.3 ms, and a step 4.32 ms: see test_lab.py.
  assert.equal(filled("{before.makespan_s}, {before.tokens_per_s}", replayed), "32.6\u00a0ms, 61.3\u00a0tokens/s");
  assert.equal(filled("{before.slot_utilisation}, {before.n_finished}, {before.weight_bytes}", replayed), "100\u00a0%, 1, 14.0\u00a0GB");
  assert.equal(verdict(replayed, "a", true), "Right: “A” (from the first arrival to the last token: 32.6 ms).");
  // The same quantity without a replay is that of a step.
  assert.equal(filled("{before.tokens_per_s}", FASTER), "219\u00a0tokens/s");
});

test("where memory is counted in powers of two, predictions are, too", () => {
  const options = [{id: "0.2", value: 0.2}, {id: "17", value: 17}];
  const asked = {...FASTER, prediction: {...FASTER.prediction, unit: "GB", options}, answer: {right: ["17"], value: 17.18}};
  setMemoryUnit("GiB");
  assert.deepEqual(options.map(option => optionText(option, asked.prediction)), ["0.186 GiB", "15.8 GiB"]);
  assert.equal(rightText(asked), "16.0 GiB");
  assert.equal(replyText(asked, 2 ** 30 * 2.5 / 1e9), "2.5 GiB");
  assert.equal(optionText({id: "3.3", value: 3.3}, FASTER.prediction), "3.3×");
  setMemoryUnit("GB");
  assert.deepEqual(options.map(option => optionText(option, asked.prediction)), ["0.2 GB", "17 GB"]);
});
