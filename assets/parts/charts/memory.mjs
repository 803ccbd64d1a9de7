// Memory of one GPU over context: weights, KV cache, where it outweighs them, where the memory ends.
import data from "../../built/data.mjs";
import {at, curve, decades} from "../../core/curves.mjs";
import {amount, count, memoryUnit, rating} from "../../core/words/format.mjs";
import {many} from "../../core/words/phrases.mjs";

const {label, stops} = data.inputs.context;
const TICKS = [512, 4096, 32768, 262144, 1048576];
const TICK_LABELS = ["512", "4K", "32K", "256K", "1M"];

/** What the other axis always shows, so that it seldom moves. [GB or GiB] */
const USUAL = [0.1, 1000];

export const legend = {
  weights: ["weights", (state, r) => `weights ${amount(r.weight_bytes_per_gpu, "B")}`],
  kv: ["kv", (state, r) => `KV cache ${amount(r.kv_bytes_per_gpu, "B")}`],
  used: ["line-used", (state, r) => `in all ${amount(r.hbm_used_bytes, "B")}`],
  limit: ["line-limit", (state, r) => `memory ${rating(r.hbm_limit_bytes, "B")}`],
};

export function draw(plot, state, r, before) {
  const [unit, size] = memoryUnit();
  const sizes = [r.weight_bytes_per_gpu, r.kv_bytes_per_gpu, r.hbm_used_bytes, r.hbm_limit_bytes];
  const powers = decades(plot.span("y", [...USUAL, ...sizes.map(bytes => bytes / size)]));
  const ticks = powers.map(power => power * size);
  const range = {
    x: [Math.min(stops[0], r.context_len), Math.max(stops.at(-1), r.context_len)],
    y: [ticks[0], ticks.at(-1)],
  };
  const line = (report, name, ...style) =>
    [stops, curve("context", report).map(each => each[name]), ...style];
  const even = r.even_context_len, isOnChart = even >= range.x[0] && even <= range.x[1];
  plot.axes({x: TICKS, y: ticks, range, labels: {x: TICK_LABELS, y: powers.map(power => `${count(power)} ${unit}`)}});
  plot.wall(r.max_context_len);
  plot.lines(
    [range.x, [r.hbm_limit_bytes, r.hbm_limit_bytes], "danger", "7 4", 1.5],
    ...(isOnChart ? [[[even, even], range.y, "muted", "2 3", 1.5]] : []),
    ...(before ? [
      line(before, "weight_bytes_per_gpu", "weights", "solid", 2.5, 0.3),
      line(before, "kv_bytes_per_gpu", "kv", "solid", 2.5, 0.35),
      line(before, "hbm_used_bytes", "ink", "solid", 1.5, 0.25),
    ] : []),
    line(r, "weight_bytes_per_gpu", "weights", "solid", 2.5),
    line(r, "kv_bytes_per_gpu", "kv", "solid", 2.5),
    line(r, "hbm_used_bytes", "ink", "solid", 1.5),
  );
  plot.points([r.context_len, r.kv_bytes_per_gpu, "kv"]);
  plot.labels(
    ...(isOnChart ? [[even, range.y[0], `KV = weights at ${count(even)}`, "ink", "aside"]] : []),
    ...(r.max_context_len < stops.at(-1)
      ? [[Math.max(r.max_context_len, range.x[0]), range.y[0], room(r), "danger", "over"]] : []),
  );
}

export const reading = {
  key: "context",
  label: `${label}: a point of the chart`,
  hint: "drag to set the context",
  axis: stops,
  at(context, report) {
    const r = at("context", Math.round(context), report);
    return {
      x: r.context_len,
      marks: [[r.weight_bytes_per_gpu, "weights"], [r.kv_bytes_per_gpu, "kv"], [r.hbm_used_bytes, "ink"]],
      lines: [
        many(r.context_len, "token"),
        `weights ${amount(r.weight_bytes_per_gpu, "B")}`,
        `KV cache ${amount(r.kv_bytes_per_gpu, "B")}`,
        `in all ${amount(r.hbm_used_bytes, "B")}`,
        ...(r.fits ? [] : ["does not fit"]),
      ],
    };
  },
};

export function sentence(state, r) {
  const reports = curve("context", r), [shortest, longest] = [reports[0], reports.at(-1)];
  const even = r.even_context_len;
  return [
    `From ${count(stops[0])} to ${many(stops.at(-1), "token")} of context the KV cache grows from ${amount(shortest.kv_bytes_per_gpu, "B")} to ${amount(longest.kv_bytes_per_gpu, "B")} beside ${amount(r.weight_bytes_per_gpu, "B")} of weights`,
    even < 1 ? "it always weighs more than they do"
      : even > stops.at(-1) ? "it weighs less than they do" : `it weighs more than they do beyond ${many(even, "token")}`,
    r.max_context_len < stops.at(-1) ? room(r) : "all of it fits",
  ].join("; ") + ".";
}

export function table(state, report) {
  const rows = curve("context", report).map(r => [
    count(r.context_len),
    ...[r.weight_bytes_per_gpu, r.kv_bytes_per_gpu, r.hbm_used_bytes].map(each => amount(each, "B")),
    r.fits ? "yes" : "no",
  ]);
  return [["context, tokens", "weights", "KV cache", "in all", "fits"], ...rows];
}

function room({max_context_len: longest}) {
  return longest < 1 ? "no context fits" : `does not fit beyond ${count(longest)}`;
}
