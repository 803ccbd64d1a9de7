// One reader's waits between tokens, in both replays.
import {decades, rounds} from "../../core/curves.mjs";
import {largest} from "../../core/lab/picture.mjs";
import {MS} from "../../core/numbers.mjs";
import {count, number} from "../../core/words/format.mjs";
import {column, transposed} from "../../core/words/phrases.mjs";

/** Rows of the table: nobody reads more, and each takes time to be laid out. */
const MOST_ROWS = 1000;

/** Points of a line: more are not told apart. */
const MOST_POINTS = 2000;

/** Draw the waits of both replays, each as {at_s, gap_s}. */
export function draw(plot, all) {
  const lines = all.map(peaks);
  const some = lines.filter(each => each.gap_s.length);
  const spans = some.flatMap(({gap_s}) => [gap_s.reduce((a, b) => Math.min(a, b)), largest(gap_s)].map(gap => gap / MS));
  const powers = decades(spans.length ? spans : [1]);
  const times_s = rounds(Math.max(some.length ? MS : 1, ...some.map(({at_s}) => largest(at_s))));
  plot.axes({
    x: times_s, y: powers, range: {x: [0, times_s.at(-1)], y: [powers[0], powers.at(-1)]},
    labels: {x: times_s.map(each => `${number(each)} s`), y: powers.map(each => `${count(each)} ms`)},
  });
  plot.lines(...lines.map(steps).map(([at_s, gap_s], i) =>
    [at_s, gap_s.map(gap => gap / MS), i ? "total" : "user", "solid", 1.5]));
}

/** A line that is as high as each wait for as long as that takes: from the token before to its own. */
export function steps({at_s, gap_s}) {
  return [at_s.flatMap((at, i) => [at_s[i - 1] ?? 0, at]), gap_s.flatMap(gap => [gap, gap])];
}

/** The longest wait of each few, where there are more than are told apart. */
export function peaks({at_s, gap_s}) {
  const few = Math.ceil(gap_s.length / MOST_POINTS);
  if (few < 2) return {at_s, gap_s};
  const places = Array.from({length: Math.ceil(gap_s.length / few)}, (_, i) => {
    const group = gap_s.slice(i * few, (i + 1) * few);
    return i * few + group.indexOf(largest(group));
  });
  return {at_s: places.map(place => at_s[place]), gap_s: places.map(place => gap_s[place])};
}

export function table(lines, names) {
  const n = Math.max(...lines.map(each => each.gap_s.length)), shown = Math.min(n, MOST_ROWS);
  const rows = Array.from({length: shown}, (_, i) => i);
  return [
    ...transposed([
      ["token", ...rows.map(i => count(i + 2))],
      ...lines.map(({gap_s}, i) => column(names[i], rows.map(row => gap_s[row]), "s")),
    ]),
    ...shown < n ? [[`and ${count(n - shown)} more`, ...lines.map(() => "")]] : [],
  ];
}
