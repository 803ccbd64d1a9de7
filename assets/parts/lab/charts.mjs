// Beneath both replays: one reader's waits, and how long readers wait the more requests come.
import {gaps as gapsOf} from "../../core/lab/passes.mjs";
import {name, waits} from "../../core/words/lab.mjs";
import {all, slots} from "../dom.mjs";
import {Plot} from "../plot.mjs";
import {tableOpened} from "../table.mjs";
import * as gaps from "./gaps.mjs";
import * as load from "./load.mjs";

/**
 * @param {HTMLElement} root of both charts
 * @param {(request: number) => void} watch is told whose waits the reader asks for
 */
export function charts(root, watch) {
  const write = slots(root), [input] = all(root, ".watched");
  const panels = Object.fromEntries(all(root, "[data-chart]").map(panel => [panel.dataset.chart, panel]));
  let plots = null, runs = [], watched = 0, dark = false;
  let curve = 0;   // which load curve is being computed
  let points = [[], []], limit_s = 1;   // of it

  input.addEventListener("change", () => {
    const n = Number(input.value);
    if (Number.isInteger(n) && n >= 1 && n <= runs[0].requests.n) watch(n - 1);
    input.value = String(watched + 1);
  });

  const names = () => runs.map((each, i) => name(each, runs[1 - i]));

  function legend(chart, texts) {
    write(Object.fromEntries(["first", "second"].map((each, i) => [`legend_${chart}_${each}`, `${names()[i]}: ${texts[i]}`])));
  }

  function draw() {
    const lines = runs.map(each => gapsOf(each.phases, each.passes, watched));
    tableOpened(panels.gaps, () => gaps.table(lines, names()));
    if (!plots) return;
    for (const plot of Object.values(plots)) plot.dark = dark;
    gaps.draw(plots.gaps, lines);
    drawLoad();
  }

  function drawLoad() {
    if (plots) load.draw(plots.load, points, limit_s);
  }

  return {
    connect(roots) {
      plots = Object.fromEntries(Object.entries(panels).map(([chart, panel]) => {
        const figure = panel.querySelector(".figure");
        return [chart, new Plot(panel, figure, roots.get(figure))];
      }));
    },

    /** Both replays, the request whose reader is watched, and how it looks. */
    show(these, request, isDark) {
      [runs, watched, dark] = [these, request, isDark];
      input.value = String(watched + 1);
      write({watched: `of ${runs[0].requests.n}; a click on a bar watches another`});
      legend("gaps", runs.map(each => waits(each, watched)));
      draw();
    },

    /** Another load curve: what gives its points, and why it has none. */
    async load(measures, why, limit) {
      const mine = ++curve;
      [points, limit_s] = [[[], []], limit];
      const all = await load.points(measures, () => mine === curve, found => {
        points = found;
        drawLoad();
      });
      if (!all) return;
      legend("load", all.map(each => why || load.knee(each, limit_s)));
      tableOpened(panels.load, () => load.table(all, names()));
      drawLoad();
    },

    /** Of what was before, no more points. */
    stop() {
      curve++;
    },
  };
}
