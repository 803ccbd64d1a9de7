// How long the first token takes the more requests come: both replays, and where each has its knee.
import {crossing} from "../../core/lab/load.mjs";
import {amount, count, number} from "../../core/words/format.mjs";
import {column, transposed} from "../../core/words/phrases.mjs";
import {decades} from "../../core/curves.mjs";
import {idle, painted} from "../dom.mjs";

/** Of both replays: the colour, and where the label of the knee stands. */
const COLOURS = ["user", "total"], PLACES = ["above", "below"];

/** How much of the frame's height a label takes, with what is between it and its curve. */
const LABEL = 0.16;

/**
 * The curves, a replay after the other once the picture stands and while nothing else is to be done;
 * undefined where they are no longer wanted.
 * @param growing gives the curves of both replays with each point, and nothing on the way
 * @param {() => boolean} isWanted
 * @param {(curves: any[]) => void} show is told after each
 */
export async function grown(growing, isWanted, show) {
  let curves = [];
  await painted();
  for (;;) {
    await idle(500);
    if (!isWanted()) return undefined;
    const {value, done} = growing.next();
    if (done) return curves;
    if (value) show(curves = value);
  }
}

/** What was tried of both replays; of nothing, nothing. */
export function draw(plot, curves, limit_s, names) {
  const all = curves.flatMap(({points}) => points);
  if (!all.length) {
    plot.axes({x: [], y: []});
    plot.points();
    plot.labels();
    return void plot.lines();
  }
  const rates = decades(all.map(each => each.rate_per_s)), waits = decades([limit_s, ...all.map(each => each.ttft_p99_s)]);
  const ends = [rates[0], rates.at(-1)];
  plot.axes({
    x: rates, y: waits, range: {x: ends, y: [waits[0], waits.at(-1)]},
    labels: {x: rates.map(each => `${count(each)}/s`), y: waits.map(each => amount(each, "s"))},
  });
  plot.lines(
    [ends, [limit_s, limit_s], "danger", "7 4", 1.5],
    ...curves.map(({points}, i) =>
      [points.map(each => each.rate_per_s), points.map(each => each.ttft_p99_s), COLOURS[i], "solid", 2.5]),
  );
  const knees = curves.map(({points}, i) => [crossing(points, limit_s), limit_s, COLOURS[i], PLACES[i]]).filter(([rate]) => rate);
  plot.points(...knees.map(([rate, y, colour]) => [rate, y, colour]));
  plot.labels(...knees.map(([rate, y, colour, place]) => [rate, y, `${number(rate)}/s`, colour, place]), ...called(plot, curves, names, knees));
}

/** Each curve's name, as far from the knees as its points go, and not out of the frame. */
function called(plot, curves, names, knees) {
  const places = knees.map(([rate]) => plot.share("x", rate));
  const room = ({rate_per_s}) => Math.min(1, ...places.map(place => Math.abs(plot.share("x", rate_per_s) - place)));
  const at = curves[0].points.reduce((best, point, i, all) => room(point) > room(all[best]) ? i : best, 0);
  const heights = curves.map(({points}) => plot.share("y", points[at].ttft_p99_s)), [first, second] = heights;
  const upper = second > first ? 1 : 0, isApart = Math.abs(second - first) > 2 * LABEL;
  return curves.map(({points}, i) => {
    const isAbove = i === upper ? heights[i] < 1 - LABEL || !isApart : heights[i] < LABEL && isApart;
    return [points[at].rate_per_s, points[at].ttft_p99_s, names[i], COLOURS[i], PLACES[isAbove ? 0 : 1]];
  });
}

export function table(curves, names) {
  const rates = (curves[0]?.points ?? []).map(each => number(each.rate_per_s));
  return transposed([
    ["requests per second", ...rates],
    ...names.map((name, i) => column(name, rates.map((_, at) => curves[i].points[at].ttft_p99_s), "s")),
  ]);
}
