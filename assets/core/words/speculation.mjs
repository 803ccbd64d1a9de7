// What speculation brings over the batch, in words.
import data from "../../built/data.mjs";
import {at, curve} from "../curves.mjs";
import {speculates} from "../speculation.mjs";
import {count, inputText, number, percent, times} from "./format.mjs";
import {boundWord, many} from "./phrases.mjs";
/**
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Speedups} from "../explorer/speculation.mjs"
 */

/** What speculation does, by what decode without it is. */
const DOES = {slower: "pays", faster: "loses", "as fast": "changes nothing"};

const {label, range: [LOW, HIGH]} = data.inputs.batch;

/** What stands along the axes. */
export const axes = "times as many tokens per second as without speculation, over batch; pale: does not fit";

/** @param {Report} r */
function contextOf(r) { return many(r.context_len, "token"); }

/**
 * What speculation does over the batch: "pays up to batch 154, then loses".
 * @param {Speedups["plain"]} plain
 */
function over(plain) {
  const texts = plain.map(({is, upTo}, i) => `${i === plain.length - 1 ? "then " : ""}${DOES[is]}${upTo < Infinity ? ` up to batch ${count(upTo)}` : ""}`);
  return plain.length === 1 ? `${DOES[plain[0].is]} at every batch` : texts.join(", ");
}

/**
 * Why it ends to pay, or does not.
 * @param {Speedups} speedups
 */
function because({report: r, pays}) {
  const passed = many(r.n_drafted + 1, "token"), brought = `the ${number(r.spec_tokens_per_pass)} steps that it saves`;
  if (pays < LOW) return `a pass and its draft take longer than ${brought}`;
  const {verify_bound: bound, kv_read_fraction: cache} = at("batch", pays < HIGH ? pays + 1 : HIGH, r);
  if (pays < HIGH) return bound === "memory" ? `a pass and its draft take longer than ${brought}` : `verifying ${passed} of each sequence is ${boundWord(bound)}-bound there`;
  return bound === "memory"
    ? `${percent(cache)} of what a step reads at ${count(HIGH)} is cache, and a pass reads that once for ${passed}`
    : `${boundWord(bound)}-bound, a pass and its draft still take less than ${brought}`;
}

/**
 * @param {Speedups[]} both
 * @param {Report} r of the state
 */
export function sentence(both, r) {
  const [{report}] = both;
  const drafted = `With ${many(report.n_drafted, "drafted token")}${speculates(r) ? "" : " (none is set now)"} a pass brings ${number(report.spec_tokens_per_pass)}.`;
  return [drafted, ...both.map(each => `At ${contextOf(each.report)} of context it ${over(each.plain)}: ${because(each)}.`)].join(" ");
}

/**
 * The speed-up at a batch: "8,192 tokens: 2.31×".
 * @param {Speedups} speedups
 * @param {number} batch
 */
function told({report}, batch) {
  const here = at("batch", batch, report);
  return `${contextOf(report)}: ${times(here.spec_speedup)}${here.fits ? "" : ", does not fit"}`;
}

/**
 * The curves in the legend, at the present batch.
 * @param {Speedups[]} both
 * @param {number} batch
 */
export function legend(both, batch) {
  const [here, other] = both.map(each => told(each, batch));
  return {here, other};
}

/**
 * What is read off at a batch.
 * @param {Speedups[]} both
 * @param {number} batch
 */
export function lines(both, batch) { return [many(batch, "sequence"), ...both.map(each => told(each, batch))]; }

/** @param {Speedups} speedups */
export function crossing({pays}) { return pays >= LOW && pays < HIGH ? `pays up to ${count(pays)}` : ""; }

/** @param {Speedups[]} both */
export function table(both) {
  const columns = both.map(({report}) => curve("batch", report));
  return [
    [label, ...both.flatMap(({report}) => [contextOf(report), "what binds the pass", "fits"])],
    ...columns[0].map((each, i) => [
      inputText(each.batch),
      ...columns.flatMap(({[i]: point}) => [times(point.spec_speedup), boundWord(point.verify_bound), point.fits ? "yes" : "no"]),
    ]),
  ];
}
