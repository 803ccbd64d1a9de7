// Beneath both replays: one reader's waits, and how long readers wait the more requests come.
import {gaps as gapsOf} from "../../core/lab/passes.mjs";
import {count} from "../../core/words/format.mjs";
import {knee, name, waits} from "../../core/words/lab.mjs";
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
  let curves = [], limit_s = 1;   // of it

  input.addEventListener("change", () => {
    const n = Number(input.value);
    const most = runs[0].requests.n, isThere = Number.isInteger(n) && n >= 1 && n <= most;
    if (isThere) return watch(n - 1);
    input.value = String(watched + 1);
    write({watched: `: allowed is a whole number from 1 to ${count(most)}, it stays at ${input.value}`});
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
    if (plots) load.draw(plots.load, curves, limit_s, names());
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

    /** Other load curves: what gives their points, and why there are none. */
    async load(growing, why, limit) {
      const mine = ++curve;
      [curves, limit_s] = [[], limit];
      const tell = text => legend("load", runs.map((_, i) => text(curves[i])));
      tell(() => why || "computing …");
      tableOpened(panels.load, () => load.table(curves, names()));
      drawLoad();
      const found = await load.grown(growing, () => mine === curve, now => {
        curves = now;
        drawLoad();
      });
      if (!found) return;
      if (!why) tell(each => knee(each, limit_s));
      tableOpened(panels.load, () => load.table(curves, names()));
    },

    /** Of what was before, no more points. */
    stop() {
      curve++;
    },
  };
}
