// How long the first token takes the more requests come: both replays, and where each has its knee.
import {amount, count, number} from "../../core/words/format.mjs";
import {decades} from "../../core/curves.mjs";
import {idle} from "../dom.mjs";

/**
 * The points of the curve, one after the other, while nothing else is to be done; undefined where
 * it is no longer wanted.
 * @param measures gives each a point of both replays
 * @param {() => boolean} isWanted
 * @param {(points: any[][]) => void} show is told after each
 */
export async function points(measures, isWanted, show) {
  const found = [[], []];
  for (const measure of measures) {
    await idle(500);
    if (!isWanted()) return undefined;
    measure().forEach((point, i) => found[i].push(point));
    show(found);
  }
  return found;
}

/** What was tried of both replays; of nothing, nothing. @param points by run, each as {rate_per_s, ttft_p99_s} */
export function draw(plot, points, limit_s) {
  const [first, second] = points, all = points.flat();
  if (!all.length) {
    plot.axes({x: [], y: []});
    return void plot.lines();
  }
  const rates = decades(all.map(each => each.rate_per_s)), waits = decades([limit_s, ...all.map(each => each.ttft_p99_s)]);
  const ends = [rates[0], rates.at(-1)];
  plot.axes({
    x: rates, y: waits, range: {x: ends, y: [waits[0], waits.at(-1)]},
    labels: {x: rates.map(each => `${count(each)}/s`), y: waits.map(each => amount(each, "s"))},
  });
  const line = (rows, ...style) => [rows.map(each => each.rate_per_s), rows.map(each => each.ttft_p99_s), ...style];
  plot.lines(
    [ends, [limit_s, limit_s], "danger", "7 4", 1.5],
    line(first, "user", "solid", 2.5),
    line(second, "total", "solid", 2.5),
  );
}

export function table(points, names) {
  return [
    ["requests per second", ...names],
    ...points[0].map(({rate_per_s}, i) => [number(rate_per_s), ...points.map(each => amount(each[i].ttft_p99_s, "s"))]),
  ];
}

/** The most requests per second that keep the limit, in words. */
export function knee(points, limit_s) {
  const kept = points.filter(each => each.ttft_p99_s <= limit_s).at(-1);
  if (!kept) return `beyond the limit at ${number(points[0].rate_per_s)} a second already`;
  const isAll = kept === points.at(-1);
  return `within the limit up to ${number(kept.rate_per_s)} a second${isAll ? ", the most that was tried" : ""}`;
}
