// Tokens per second over batch: all users, one user, where the controls stand, what does not fit.
import data from "../../built/data.mjs";
import {at, boundOverBatch, curve, decades, plainOverBatch} from "../../core/curves.mjs";
import {speculates} from "../../core/speculation.mjs";
import {count, number} from "../../core/words/format.mjs";
import {boundWord, many} from "../../core/words/phrases.mjs";

const {label, stops, range: [LOW, HIGH]} = data.inputs.batch;
const TICKS = [1, 4, 16, 64, 256, 1024];

/** What the other axis always shows, so that it seldom moves. [tokens/s] */
const USUAL = [0.1, 1e4];

export const legend = {
  total: ["line-total", (state, r) => `all users together ${number(r.tokens_per_s)} tokens/s`],
  user: ["line-user", (state, r) => `one user ${number(r.tokens_per_s_per_user)} tokens/s`],
  plain: ["line-plain", (state, r) => speculates(r) ? `without speculation (${over(plainOverBatch(r))})` : ""],
};

export function draw(plot, state, r, before) {
  const [total, user, plain] = speeds(r), ghost = before ? speeds(before) : [];
  const ticks = decades(plot.span("y", [...USUAL, ...total, ...user, ...ghost.flat()]));
  const line = (ys, ...style) => [stops, ys, ...style];
  const crossings = speculates(r) ? plainOverBatch(r).slice(0, -1) : [], ridge = ridgeBatch(r);
  plot.axes({x: TICKS, y: ticks, range: {x: [LOW, HIGH], y: [ticks[0], ticks.at(-1)]}});
  plot.wall(Math.max(r.max_batch, 1));
  plot.lines(
    ...(ridge ? [[[ridge, ridge], plot.range("y"), "muted", "2 3", 1.5]] : []),
    ...(before ? [line(ghost[0], "total", "solid", 2.5, 0.3), line(ghost[1], "user", "7 4", 2.5, 0.35)] : []),
    ...(speculates(r) ? [line(plain, "muted", "4 3", 1.5)] : []),
    line(total, "total", "solid", 2.5),
    line(user, "user", "7 4", 2.5),
  );
  plot.points(
    ...crossings.map(({upTo}) => [upTo, at("batch", upTo, r).plain_tokens_per_s, "muted", 0.9]),
    [r.batch, r.tokens_per_s, "total"],
    [r.batch, r.tokens_per_s_per_user, "user"],
  );
  plot.labels(
    ...(ridge ? [[ridge, ticks[0], `ridge: batch ${count(ridge)}`, "ink", "aside"]] : []),
    ...(r.max_batch < HIGH ? [[Math.max(r.max_batch, 1), ticks[0], room(r), "danger", "over"]] : []),
  );
}

export const reading = {
  key: "batch",
  label: `${label}: a point of the chart`,
  hint: "drag to set the batch",
  axis: stops,
  at(batch, report) {
    const r = at("batch", Math.round(batch), report);
    return {
      x: r.batch,
      marks: [[r.tokens_per_s, "total"], [r.tokens_per_s_per_user, "user"]],
      lines: [
        many(r.batch, "sequence"),
        `all users together ${number(r.tokens_per_s)} tokens/s`,
        `one user ${number(r.tokens_per_s_per_user)} tokens/s`,
        ...(speculates(r) ? [`without speculation ${number(r.plain_tokens_per_s)} tokens/s`] : []),
        ...(r.fits ? [] : ["does not fit"]),
      ],
    };
  },
};

export function sentence(state, r) {
  const [total, user] = speeds(r), ends = ys => `${number(ys[0])} to ${number(ys.at(-1))} tokens/s`;
  return [
    `From batch ${count(LOW)} to ${count(HIGH)} all users together go from ${ends(total)}`,
    `one user from ${ends(user)}`,
    r.max_batch < HIGH ? room(r) : "all of it fits",
    `decode is ${over(boundOverBatch(r), bound => `${boundWord(bound)}-bound`)}`,
    ...(speculates(r) ? [`without speculation it is ${over(plainOverBatch(r))}`] : []),
  ].join("; ") + ".";
}

export function table(state, report) {
  const both = speculates(report);
  const rows = curve("batch", report).map(r => [
    count(r.batch), number(r.tokens_per_s), number(r.tokens_per_s_per_user),
    ...(both ? [number(r.plain_tokens_per_s)] : []), r.fits ? "yes" : "no",
  ]);
  return [[
    "batch", "all users, tokens/s", "one user, tokens/s",
    ...(both ? ["all users without speculation, tokens/s"] : []), "fits",
  ], ...rows];
}

/** @returns {[total: number[], user: number[], plain: number[]]} */
function speeds(report) {
  const reports = curve("batch", report);
  return [
    reports.map(each => each.tokens_per_s),
    reports.map(each => each.tokens_per_s_per_user),
    reports.map(each => each.plain_tokens_per_s),
  ];
}

function room({max_batch: most}) {
  return most < 1 ? "not even one sequence fits" : `does not fit beyond ${count(most)}`;
}

/** The last batch that is memory-bound before arithmetic binds. */
function ridgeBatch(r) {
  const all = boundOverBatch(r);
  return all.find(({is}, i) => is === "memory" && all[i + 1]?.is === "compute")?.upTo;
}

/** Runs over the batch in words: "slower up to batch 154, then faster". */
function over(all, word = is => is) {
  if (all.length === 1) return `${word(all[0].is)} at every batch`;
  return all.map(({is, upTo}) => upTo < Infinity ? `${word(is)} up to batch ${count(upTo)}` : `then ${word(is)}`).join(", ");
}
