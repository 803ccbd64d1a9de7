// The speed-up of speculation over the batch: two contexts, and where it ends to pay.
import data from "../../built/data.mjs";
import {at, rounds} from "../../core/curves.mjs";
import {pieces, speedups} from "../../core/explorer/speculation.mjs";
import {axes, crossing, legend, lines, sentence, table} from "../../core/words/speculation.mjs";
import {slots} from "../dom.mjs";
import {Plot} from "../plot.mjs";
import {Reading} from "../reading.mjs";
import {tableOpened} from "../table.mjs";

const {label, stops, range: [LOW, HIGH]} = data.inputs.batch;
const TICKS = [1, 4, 16, 64, 256, 1024];

/** Each curve's colour and dash. */
const STYLES = [["total", "solid"], ["user", "7 4"]];

export function speculation(root, store) {
  const panel = root.querySelector("[data-chart]"), place = panel.querySelector(".figure");
  const write = slots(root);
  let both = [], plot = null, reading = null, dark = false, lock = [];

  function draw({state}) {
    if (!plot) return;
    Object.assign(plot, {dark, moving: store.moving});
    const drawn = both.map(({report}) => pieces(report));
    const ticks = rounds(plot.span("y", drawn.flat().flatMap(({ys}) => ys))[1]);
    plot.axes({x: TICKS, y: ticks, range: {x: [LOW, HIGH], y: [0, ticks.at(-1)]}, labels: {y: ticks.map(tick => `${tick}×`)}});
    plot.lines(
      [[LOW, HIGH], [1, 1], "muted", "2 3", 1.5],
      ...drawn.flatMap((each, i) => each.map(({fits, xs, ys}) => [xs, ys, ...STYLES[i], 2.5, fits ? 1 : 0.35])),
    );
    const crossings = both.filter(crossing);
    plot.points(
      ...crossings.map(({pays}) => [pays, 1, "muted", 0.9]),
      [state.batch, speedup(state.batch, 0), STYLES[0][0]],
    );
    plot.labels(...crossings.map((each, i) => [each.pays, 1, crossing(each), "ink", i ? "above" : "below"]));
    reading.show();
  }

  function speedup(batch, i) { return at("batch", batch, both[i].report).spec_speedup; }

  function show(now) {
    both = speedups(now.state, now.report);
    write({...legend(both, now.state.batch), said: sentence(both, now.report), axes});
    tableOpened(panel, () => table(both));
    draw(now);
  }

  /** Over the same batches as the slider, which the point is, too. */
  const read = {
    key: "batch",
    label: `${label}: a point of the speed-up`,
    hint: "drag to set the batch",
    axis: stops,
    at: batch => ({x: batch, marks: both.map((_, i) => [speedup(batch, i), STYLES[i][0]]), lines: lines(both, batch)}),
  };

  return {
    show,
    present(look) {
      dark = look.theme === "dark";
      ({lock} = look);
      reading?.lock(lock);
    },
    connect(roots) {
      plot = new Plot(panel, place, roots.get(place));
      reading = new Reading(panel, plot, read, store);
      reading.lock(lock);
      plot.onResize(() => { if (!root.hidden) draw(store); });
      if (!root.hidden) show(store);
    },
  };
}
