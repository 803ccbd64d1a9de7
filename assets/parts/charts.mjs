// The charts under their tabs, one shown at a time: its legend, its figure, the same as a table.
import {isStart} from "../core/words/sentence.mjs";
import * as memory from "./charts/memory.mjs";
import * as roofline from "./charts/roofline.mjs";
import * as steptime from "./charts/steptime.mjs";
import * as throughput from "./charts/throughput.mjs";
import {all, element, put, slots} from "./dom.mjs";
import {Plot} from "./plot.mjs";
import {Reading} from "./reading.mjs";
import {Sight} from "./sight.mjs";
import {tableOf} from "./table.mjs";
import {tabs} from "./tabs.mjs";

/**
 * Each module has one chart: its legend, drawing, table, the sentence for who does not see it, and
 * how it is read where it has curves. Its tab is in figures.py.
 */
const CHARTS = {throughput, memory, roofline, steptime};

/** What stands beneath a chart with a second, pale drawing. */
const PALE = "pale: before the move", PALE_A = "pale: A, as pinned";

export function charts(root, store) {
  const panels = new Map(all(root, "[data-chart]").map(panel => [panel.dataset.chart, panel]));
  // A veil may take them out of their panels, later.
  const places = new Map([...panels].map(([name, panel]) => [name, panel.querySelector(".figure")]));
  const writers = new Map([...panels].map(([name, panel]) => [name, texts(panel, CHARTS[name])]));
  const plots = new Map(), readings = new Map();
  const under = tabs(root, () => {
    show();
    draw();
  });
  let dark = false;
  let lock = [];   // inputs that cannot be changed
  let pinned = null;
  const sight = new Sight(() => {
    if (!store.moving) return;
    show();
    draw();
  });
  sight.watch(root);

  /** While a move goes on, charts out of sight stay as they are. */
  const isDue = () => !store.moving || sight.has(root);

  function show() {
    if (!isDue()) return;
    writers.get(under.current)(store.state, store.report, !store.moving);
    const before = panels.get(under.current).querySelector(".before");
    before.hidden = !ghost();
    put(before, pinned ? PALE_A : PALE);
  }

  function draw() {
    if (!isDue()) return;
    const plot = plots.get(under.current);
    if (plot) {
      Object.assign(plot, {dark, moving: store.moving});
      CHARTS[under.current].draw(plot, store.state, store.report, ghost());
      readings.get(under.current)?.show();
    }
    showTable();
  }

  /**
   * What is pinned as A; else the report before the last move, while that is what the page speaks
   * of, and unless it moved along the curves, which leaves them as they were.
   */
  function ghost() {
    if (pinned) return pinned.report;
    const isAlong = CHARTS[under.current].reading?.key === store.moved;
    return isStart(store.moved) || isAlong ? null : store.before.report;
  }

  function showTable() {
    const panel = panels.get(under.current);
    if (!panel.querySelector("details").open) return;
    panel.querySelector(".rows").replaceChildren(tableOf(CHARTS[under.current].table(store.state, store.report)));
  }

  // Told by the browser: asking for it would lay out the page at each drawing.
  const sizes = new ResizeObserver(entries => {
    for (const {target, contentRect} of entries) {
      plots.get(target.closest("[data-chart]").dataset.chart).width = contentRect.width;
    }
    draw();
  });

  for (const details of all(root, "details")) details.addEventListener("toggle", showTable);

  return {
    show,
    draw,
    /** Bokeh's figures, once they are on the page: roots by their places. */
    connect(roots) {
      for (const [name, panel] of panels) {
        const place = places.get(name), plot = new Plot(panel, place, roots.get(place)), {reading} = CHARTS[name];
        plots.set(name, plot);
        if (reading) readings.set(name, new Reading(panel, plot, reading, store));
        readings.get(name)?.lock(lock);
        sizes.observe(panel.querySelector(".frame"));
      }
    },
    /** In the colours of a theme, with these inputs locked, and only charts whose tabs are there. */
    present(look) {
      dark = look.theme === "dark";
      ({lock, pinned} = look);
      for (const reading of readings.values()) reading.lock(lock);
      under.present();
    },
  };
}

/** A chart's legend, made in its panel, and its sentence; gives what writes both. */
function texts(panel, {legend, sentence}) {
  panel.querySelector(".legend").replaceChildren(
    ...Object.entries(legend).map(([name, [mark]]) => {
      const item = Object.assign(element("li"), {className: mark, hidden: true});
      Object.assign(item.dataset, {text: `legend_${name}`, optional: ""});
      return item;
    }));
  const write = slots(panel);
  return (state, report, settled) => write({
    ...Object.fromEntries(
      Object.entries(legend).map(([name, [, text]]) => [`legend_${name}`, text(state, report)])),
    ...settled ? {described: sentence(state, report)} : {},
  });
}
