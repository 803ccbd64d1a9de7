// Any quantity over any input, as a chart and a table; beside it that of A, where it is pinned. Over two
// of them as a map, where the study has one.
import {decades} from "../../core/curves.mjs";
import {ends} from "../../core/explorer/heat_map.mjs";
import {grid, sweep as points, swept, unfit} from "../../core/explorer/sweep.mjs";
import {axes, mapAxes, mapNumbers, mapSentence, mapTable, numbers, sentence, shown, table, tick} from "../../core/words/sweep.mjs";
import {inputText} from "../../core/words/format.mjs";
import {all, slots} from "../dom.mjs";
import {Plot} from "../plot.mjs";
import {tableOpened} from "../table.mjs";
import {HeatMap} from "./heat_map.mjs";

/** So many labels stand along the axis at most. */
const LABELS = 7;

export function sweep(root, store) {
  const panel = root.querySelector("[data-chart]"), place = panel.querySelector(".figure");
  const write = slots(root), options = all(root, "[name=over] option"), others = all(root, "[name=against] option");
  const legend = root.querySelector(".legend"), cells = root.querySelector('[data-chart="map"]'), scale = root.querySelector(".scale");
  /** @type {Record<string, any>} */
  let settings = {};
  let plot = null, map = null, dark = false, pinned = null;

  /** What can be drawn of a sweep: its axes are of powers. */
  function drawable(found) { return found.filter(({y}) => y > 0 && Number.isFinite(y)); }

  /** A's line: dashed, and pale where A does not fit. */
  function linesOf(found) {
    const line = (those, alpha) => [those.map(({x}) => x), those.map(({y}) => y), "muted", "7 4", 2, alpha];
    const starts = [...found.keys()].filter(i => !i || found[i].report.fits !== found[i - 1].report.fits);
    return starts.map((from, i) => {
      const to = starts[i + 1] ?? found.length;
      return found[from].report.fits ? line(found.slice(from, to), 1) : line(found.slice(Math.max(from - 1, 0), to + 1), 0.4);
    });
  }

  function draw(found, state, beside) {
    const {over, shown: quantity} = settings;
    const drawn = drawable(found), other = drawable(beside);
    place.parentElement.hidden = !drawn.length;
    if (!plot || !drawn.length) return;
    const xs = drawn.map(({x}) => x), ys = drawn.map(({y}) => y), ticks = decades([...ys, ...other.map(({y}) => y)]);
    const every = Math.ceil(xs.length / LABELS), marked = xs.filter((_, i) => i % every === 0);
    Object.assign(plot, {dark, moving: store.moving});
    plot.axes({
      x: marked, y: ticks, range: {x: [xs[0], xs.length > 1 ? xs.at(-1) : 2 * xs[0]], y: [ticks[0], ticks.at(-1)]},
      labels: {x: marked.map(inputText), y: ticks.map(each => tick(each, quantity))},
    });
    plot.walls(...unfit(found, over));
    plot.lines(...linesOf(other), [xs, ys, "total", "solid", 2.5]);
    const here = drawn.find(({x}) => x === state[over]);
    plot.points(...here ? [[here.x, here.y, "total"]] : []);
    plot.labels();
  }

  function showCurve({state, report}, can) {
    const {over, shown: quantity} = settings;
    const found = can ? points(state, report, over, quantity) : [];
    const beside = pinned && found.length ? points(pinned.state, pinned.report, over, quantity) : [];
    write({said: sentence(found, over, quantity), axes: axes(over, quantity)});
    tableOpened(panel, () => table(found, over, quantity, beside), () => numbers(found, over, quantity, beside));
    draw(found, state, beside);
  }

  function showMap({state, report}) {
    const {over, against, shown: quantity} = settings, keys = [over, against];
    const found = grid(state, report, over, against), {low, high} = ends(found, quantity);
    write({said: mapSentence(found, keys, quantity), low: shown(low, quantity), high: shown(high, quantity), axes: mapAxes(over, against)});
    tableOpened(cells, () => mapTable(found, keys, quantity), () => mapNumbers(found, keys, quantity));
    if (!map) return;
    map.plot.dark = dark;
    map.root.setAttribute("aria-label", `${axes(over, quantity)}: ${mapAxes(over, against)}`);
    map.draw({grid: found, keys, quantity, state});
  }

  function show(now) {
    const can = swept(now.state, now.report), {over, against} = settings;
    for (const option of options) option.disabled = !can.includes(option.value);
    for (const option of others) option.disabled = option.value !== "none" && (option.value === over || !can.includes(option.value));
    const isMap = cells !== null && against !== over && can.includes(over) && can.includes(against);
    panel.hidden = isMap;
    legend.hidden = isMap || !pinned;
    for (const each of [cells, scale]) if (each) each.hidden = !isMap;
    if (isMap) showMap(now);
    else showCurve(now, can.includes(over));
  }

  return {
    show,
    present(look) {
      ({settings, pinned} = look);
      dark = look.theme === "dark";
    },
    connect(roots) {
      plot = new Plot(panel, place, roots.get(place));
      if (cells) map = new HeatMap(cells, roots.get(cells.querySelector(".figure")));
      if (!root.hidden) show(store);
    },
  };
}
