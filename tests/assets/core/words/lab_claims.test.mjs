// Random settings of the lab: what its sentence says is held against the numbers of both replays.
import assert from "node:assert/strict";
import {test} from "node:test";

import {draws, fuzz} from "../../hostile.mjs";
import {PADDING} from "#modules/built/replay.mjs";
import {mostAtOnce} from "#modules/core/lab/picture.mjs";
import {obstacle, replays} from "#modules/core/lab/replays.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {defaultSettings} from "#modules/core/settings.mjs";
import {roomless, sentence} from "#modules/core/words/lab.mjs";

/** @type {Record<string, any[]>} */
const SETTINGS = {
  policy: ["static", "continuous", "chunked", "disaggregated"], other_policy: ["static", "continuous", "chunked", "disaggregated"],
  allocator: ["paged", "contiguous"], other_allocator: ["paged", "contiguous"], rate: ["0", "0", "1", "4", "20"],
  slots: ["1", "4", "16", "64"], requests: ["1", "10", "60"], lengths: ["fixed", "lognormal", "bimodal"], chunk: ["64", "512"],
  burst: ["1", "8"], preemption: ["recompute", "swap"], ttft_limit: ["0.1", "2", "20"],
  watermark: ["0", "0.01", "0.01", "0.01", "1"],
};
const INPUTS = {params_b: [7, 30, 38], prompt: [100, 1000, 4000], output: [1, 50, 300], context: [8192, 32768]};

const most = ({phases}) => mostAtOnce(phases);
const comesAtOnce = ({requests}) => requests.arrival_s.every(each => each === requests.arrival_s[0]);
const isShort = run => comesAtOnce(run) && most(run) < Math.min(run.n_slots, run.requests.n);
const good = ({totals: t}) => 100 * t.goodput_per_s * t.makespan_s / t.n_finished;

/** What a static batch holds: since when, until when, and whether its answer is shorter than the one that ends last. */
function held({phases, requests}) {
  return [...phases.status.keys()].filter(i => i < phases.n && phases.status[i] === PADDING && phases.end_s[i] > phases.start_s[i]).map(i => {
    const to = phases.end_s[i], lasts = [...requests.finish_s.keys()].filter(each => each < requests.n && requests.finish_s[each] === to);
    const own = requests.output_len[phases.request[i]];
    return {s: to - phases.start_s[i], isShorter: lasts.some(last => requests.output_len[last] > own)};
  });
}
const sum = list => list.reduce((all, {s}) => all + s, 0);
const batchOf = (a, b) => a.policy === "static" ? a : b;
const heldPercent = run => 100 * sum(held(run)) / (run.n_slots * run.totals.makespan_s);

const plain = text => Number(text.replaceAll(",", ""));
/** A percentage as it is written, of a share that is no less than under 1 %. */
const isPercent = (text, value) => text === "under 1" ? value > 0 && value < 0.5 : Math.abs(plain(text) - value) <= 0.51;

/** @type {Record<string, [RegExp, (found: string[], first: any, second: any, again: (changes: Record<string, string>) => any[]) => boolean]>} */
const CLAIMS = {
  "times the throughput": [/: ([\d.,]+)× the throughput/, ([, ratio], a, b) =>
    Math.abs(b.totals.tokens_per_s / a.totals.tokens_per_s / plain(ratio) - 1) < 0.06],
  "both write": [/Both write the same ([\d,]+) token/, ([, n], a, b) =>
    plain(n) === b.totals.output_tokens && Math.abs(b.totals.tokens_per_s / a.totals.tokens_per_s - 1) <= 0.0051],
  "memory is short": [/Memory is what is short, not slots: up to ([\d,]+) readers? at once(?:, against ([\d,]+))?, in/, ([, m, n], a, b) =>
    a.allocator === b.allocator && plain(m) === most(a) && plain(n ?? m) === most(b) &&
    [a, b].some(run => isShort(run) && run.totals.kv_most_fraction + run.prompt_fraction > 1)],
  // Without it more are served at once.
  "watermark": [/What is kept free, (under 1|\d+) % of the memory, keeps readers out: up to ([\d,]+) readers? at once(?:, against ([\d,]+))?, in/,
    ([, share, m, n], a, b, again) => isPercent(share, 100 * a.watermark) && plain(m) === most(a) && plain(n ?? m) === most(b) &&
      again({watermark: "0"}).some((run, i) => most(run) > most([a, b][i]))],
  "longest answer": [/waits for its longest answer: (under 1|\d+) % of its/, ([, share], a, b) => {
    const all = held(batchOf(a, b));
    return isPercent(share, heldPercent(batchOf(a, b))) && 2 * sum(all.filter(({isShorter}) => isShorter)) > sum(all);
  }],
  "last answer": [/waits for its last answer: (under 1|\d+) % of its/, ([, share], a, b) => isPercent(share, heldPercent(batchOf(a, b)))],
  "either way": [/either way up to ([\d,]+) reader/, ([, n], a, b) => a.allocator !== b.allocator && most(a) === plain(n) && most(b) === plain(n)],
  "readers at once": [/; up to ([\d,]+) readers? at once, against ([\d,]+)/, ([, m, n], a, b) => most(a) === plain(m) && most(b) === plain(n)],
  "within limits": [/; (under 1|\d+) % of the answers keep the limits(?: in both|, instead of (under 1|\d+) %)/, ([, is, was], a, b) =>
    !comesAtOnce(a) && isPercent(is, good(b)) && isPercent(was ?? is, good(a))],
  "longest wait": [/: the longest wait( of those who never gave way)? is ([\d.]+) (µs|ms|s), against ([\d.]+) (µs|ms|s);/, ([, who, low, unit, high, other], a, b) => {
    const units = {"µs": 1e-6, ms: 1e-3, s: 1}, waits = [a, b].map(({requests: r}) =>
      Math.max(...[...r.longest_gap_s.slice(0, r.n)].filter((_, i) => !r.n_preemptions[i]))).sort((one, two) => one - two);
    return Boolean(who) === (a.totals.n_preemptions + b.totals.n_preemptions > 0) &&
      [low * units[unit], high * units[other]].every((value, i) => Math.abs(value / waits[i] - 1) < 0.01);
  }],
  "gave way": [/Blocks ran out: ([\d,]+) times? somebody gave way in the slower one/, ([, n], a, b) =>
    plain(n) === (a.totals.tokens_per_s < b.totals.tokens_per_s ? a : b).totals.n_preemptions],
};

test("what the lab's sentence says is so in the numbers of both replays", () => {
  /** @type {Record<string, number>} */
  const seen = {};
  fuzz(chance => {
    const {one} = draws(chance), drawn = of => Object.fromEntries(Object.entries(of).map(([key, values]) => [key, one(values)]));
    const state = {...defaults, ...drawn(INPUTS)}, lab = {...defaultSettings, ...drawn(SETTINGS)};
    if (obstacle(state, lab, null)) return;
    const [first, second] = replays(state, lab, null);
    if (roomless([first, second], null)) return;
    const said = sentence(first, second);
    assert.doesNotMatch(said, /NaN|undefined|∞|(?<![\d.,])1 (readers|slots|times|tokens)\b/);
    for (const [name, [form, holds]] of Object.entries(CLAIMS)) {
      const found = form.exec(said);
      if (!found) continue;
      seen[name] = (seen[name] ?? 0) + 1;
      assert.ok(holds(found, first, second, changes => replays(state, {...lab, ...changes}, null)), `${name}: ${said}\n${JSON.stringify([drawn, lab])}`);
    }
  }, 600);
  for (const name of Object.keys(CLAIMS)) assert.ok(seen[name], `${name} was never said`);
});
