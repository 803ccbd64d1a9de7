// Any quantity over any input, as a chart and a table.
import {decades} from "../../core/curves.mjs";
import {sweep as points, swept} from "../../core/explorer/sweep.mjs";
import {axes, sentence, shown, table} from "../../core/words/sweep.mjs";
import {inputText} from "../../core/words/format.mjs";
import {all, slots} from "../dom.mjs";
import {Plot} from "../plot.mjs";
import {tableOpened} from "../table.mjs";

/** So many labels stand along the axis at most. */
const LABELS = 7;

export function sweep(root, store) {
  const panel = root.querySelector("[data-chart]"), place = panel.querySelector(".figure");
  const write = slots(root), options = all(root, "[name=over] option");
  /** @type {Record<string, any>} */
  let settings = {};
  let plot = null, dark = false;

  function draw(found, state) {
    const {over, shown: quantity} = settings;
    const drawn = found.filter(({y}) => y > 0 && Number.isFinite(y));
    if (!plot || !drawn.length) return;
    const xs = drawn.map(({x}) => x), ys = drawn.map(({y}) => y), ticks = decades(ys);
    const every = Math.ceil(xs.length / LABELS), marked = xs.filter((_, i) => i % every === 0);
    const last = drawn.findLast(({report}) => report.fits);
    Object.assign(plot, {dark, moving: store.moving});
    plot.axes({
      x: marked, y: ticks, range: {x: [xs[0], xs.length > 1 ? xs.at(-1) : 2 * xs[0]], y: [ticks[0], ticks.at(-1)]},
      labels: {x: marked.map(inputText), y: ticks.map(tick => shown(tick, quantity))},
    });
    plot.wall(last ? last.x : xs[0]);
    plot.lines([xs, ys, "total", "solid", 2.5]);
    const here = drawn.find(({x}) => x === state[over]);
    plot.points(...here ? [[here.x, here.y, "total"]] : []);
    plot.labels();
  }

  function show({state, report}) {
    const can = swept(state, report), {over, shown: quantity} = settings;
    for (const option of options) option.disabled = !can.includes(option.value);
    const found = can.includes(over) ? points(state, report, over, quantity) : [];
    write({said: sentence(found, over, quantity), axes: axes(over, quantity)});
    tableOpened(panel, () => table(found, over, quantity));
    draw(found, state);
  }

  return {
    show,
    present(look) {
      settings = look.settings;
      dark = look.theme === "dark";
    },
    connect(roots) {
      plot = new Plot(panel, place, roots.get(place));
      if (!root.hidden) show(store);
    },
  };
}
