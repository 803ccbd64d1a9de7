// Any quantity over any input, as a chart and a table; beside it that of A, where it is pinned.
import {decades} from "../../core/curves.mjs";
import {sweep as points, swept} from "../../core/explorer/sweep.mjs";
import {axes, sentence, table, tick} from "../../core/words/sweep.mjs";
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
  let plot = null, dark = false, pinned = null;

  /** What can be drawn of a sweep: its axes are of powers. */
  function drawable(found) { return found.filter(({y}) => y > 0 && Number.isFinite(y)); }

  /** A's line: dashed, and pale where A does not fit. */
  function linesOf(found) {
    const line = (those, alpha) => [those.map(({x}) => x), those.map(({y}) => y), "muted", "7 4", 2, alpha];
    const fit = found.findLastIndex(({report}) => report.fits) + 1;
    return [line(found.slice(0, fit), 1), line(found.slice(Math.max(fit - 1, 0)), 0.4)];
  }

  function draw(found, state, beside) {
    const {over, shown: quantity} = settings;
    const drawn = drawable(found), other = drawable(beside);
    if (!plot || !drawn.length) return;
    const xs = drawn.map(({x}) => x), ys = drawn.map(({y}) => y), ticks = decades([...ys, ...other.map(({y}) => y)]);
    const every = Math.ceil(xs.length / LABELS), marked = xs.filter((_, i) => i % every === 0);
    const last = drawn.findLast(({report}) => report.fits);
    Object.assign(plot, {dark, moving: store.moving});
    plot.axes({
      x: marked, y: ticks, range: {x: [xs[0], xs.length > 1 ? xs.at(-1) : 2 * xs[0]], y: [ticks[0], ticks.at(-1)]},
      labels: {x: marked.map(inputText), y: ticks.map(each => tick(each, quantity))},
    });
    plot.wall(last ? last.x : xs[0]);
    plot.lines(...linesOf(other), [xs, ys, "total", "solid", 2.5]);
    const here = drawn.find(({x}) => x === state[over]);
    plot.points(...here ? [[here.x, here.y, "total"]] : []);
    plot.labels();
  }

  function show({state, report}) {
    const can = swept(state, report), {over, shown: quantity} = settings;
    for (const option of options) option.disabled = !can.includes(option.value);
    const found = can.includes(over) ? points(state, report, over, quantity) : [];
    const beside = pinned && found.length ? points(pinned.state, pinned.report, over, quantity) : [];
    write({said: sentence(found, over, quantity), axes: axes(over, quantity)});
    tableOpened(panel, () => table(found, over, quantity, beside));
    draw(found, state, beside);
  }

  return {
    show,
    present(look) {
      ({settings, pinned} = look);
      root.querySelector(".legend").hidden = !pinned;
      dark = look.theme === "dark";
    },
    connect(roots) {
      plot = new Plot(panel, place, roots.get(place));
      if (!root.hidden) show(store);
    },
  };
}
