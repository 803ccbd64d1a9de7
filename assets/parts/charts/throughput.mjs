// Tokens per second over batch: all users, one user, where the controls stand, what does not fit.
import data from "../../built/data.mjs";
import {at, curve, decades, memoryBoundUpTo, paysUpTo} from "../../core/curves.mjs";
import {speculates} from "../../core/speculation.mjs";
import {count, number} from "../../core/words/format.mjs";
import {many} from "../../core/words/phrases.mjs";

const {label, stops, range: [LOW, HIGH]} = data.inputs.batch;
const TICKS = [1, 4, 16, 64, 256, 1024];

/** What the other axis always shows, so that it seldom moves. [tokens/s] */
const USUAL = [0.1, 1e4];

export const legend = {
  total: ["line-total", (state, r) => `all users together ${number(r.tokens_per_s)} tokens/s`],
  user: ["line-user", (state, r) => `one user ${number(r.tokens_per_s_per_user)} tokens/s`],
  plain: ["line-plain", (state, r) => speculates(r) ? `without speculation (${pays(r)})` : ""],
};

export function draw(plot, state, r, before) {
  const [total, user, plain] = speeds(r), ghost = before ? speeds(before) : [];
  const ticks = decades(plot.span("y", [...USUAL, ...total, ...user, ...ghost.flat()]));
  const line = (ys, ...style) => [stops, ys, ...style];
  const crossing = paysUpTo(r), ridge = memoryBoundUpTo(r);
  plot.axes({x: TICKS, y: ticks, range: {x: [LOW, HIGH], y: [ticks[0], ticks.at(-1)]}});
  plot.wall(Math.max(r.max_batch, 1));
  plot.lines(
    ...(isOnChart(ridge) ? [[[ridge, ridge], plot.range("y"), "muted", "2 3", 1.5]] : []),
    ...(before ? [line(ghost[0], "total", "solid", 2.5, 0.3), line(ghost[1], "user", "7 4", 2.5, 0.35)] : []),
    ...(speculates(r) ? [line(plain, "muted", "4 3", 1.5)] : []),
    line(total, "total", "solid", 2.5),
    line(user, "user", "7 4", 2.5),
  );
  plot.points(
    ...(speculates(r) && isOnChart(crossing)
      ? [[crossing, at("batch", crossing, r).plain_tokens_per_s, "muted", 0.9]] : []),
    [r.batch, r.tokens_per_s, "total"],
    [r.batch, r.tokens_per_s_per_user, "user"],
  );
  plot.labels(
    ...(isOnChart(ridge) ? [[ridge, ticks[0], `ridge: batch ${count(ridge)}`, "ink", "aside"]] : []),
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
  const ridge = memoryBoundUpTo(r);
  return [
    `From batch ${count(LOW)} to ${count(HIGH)} all users together go from ${ends(total)}`,
    `one user from ${ends(user)}`,
    r.max_batch < HIGH ? room(r) : "all of it fits",
    `decode is ${curve("batch", r)[0].verify_bound === "overhead" ? "overhead-bound at small batches, then " : ""}memory-bound ${ridge === Infinity ? "at every batch" : ridge ? `up to batch ${count(ridge)}` : "at no batch"}`,
    ...(speculates(r) ? [`without speculation it is ${pays(r)}`] : []),
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

/** Where the two curves cross, from the side of the one without speculation. */
function pays(r) {
  const crossing = paysUpTo(r);
  if (crossing === Infinity) return "slower at every batch";
  return crossing ? `faster beyond batch ${count(crossing)}` : "faster at every batch";
}

function isOnChart(batch) { return batch > 0 && batch < Infinity; }
