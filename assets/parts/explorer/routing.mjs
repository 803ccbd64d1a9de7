// Easy requests to a cheap model: what is saved, what is spoilt, and which thresholds are safe.
import data from "../../built/data.mjs";
import {rounds} from "../../core/curves.mjs";
import {cheapUsd, curve, routing as routed, savedOf, worseAt} from "../../core/explorer/routing.mjs";
import {inputText, percent} from "../../core/words/format.mjs";
import {axes, legend, lines, missing, rows, sentence, table} from "../../core/words/routing.mjs";
import {slots} from "../dom.mjs";
import {Plot} from "../plot.mjs";
import {Reading} from "../reading.mjs";
import {arrange, fillRow, headedRow, tableOpened} from "../table.mjs";

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Shares that arrow keys lead along. */
const STEPS = Array.from({length: 21}, (_, i) => i / 20);

export function routing(root, store) {
  const panel = root.querySelector("[data-chart]"), place = panel.querySelector(".figure");
  const body = root.querySelector(".costs tbody"), price = root.querySelector("[name=cheap_price]"), write = slots(root);
  const places = new Map();   // rows by what they are of
  let settings = {}, plot = null, reading = null, dark = false, points = [], saving = 0;

  function asked() {
    const share = key => Number(settings[key]) / 100;
    return {easy: share("easy"), easyError: share("easy_error"), hardError: share("hard_error"), worse: share("worse"), saved: share("saved")};
  }

  function row([what, ...texts]) {
    if (!places.has(what)) places.set(what, headedRow(what, "", ""));
    fillRow(places.get(what), texts);
    return places.get(what);
  }

  function draw(now, found) {
    if (!plot) return;
    const most = Math.max(1 - now.easy, now.worse, 0.01), ticks = rounds(most), top = ticks.at(-1);
    Object.assign(plot, {dark, moving: store.moving});
    plot.axes({x: TICKS, y: ticks, range: {x: [0, 1], y: [0, top]}, labels: {x: TICKS.map(percent), y: ticks.map(tick => `${inputText(100 * tick)} %`)}});
    const {band} = found, inside = band ? [band.least, ...points.map(({cheap}) => cheap).filter(x => x > band.least && x < band.most), band.most] : [];
    plot.lines(
      [[0, now.easy, 1], [0, 0, 1 - now.easy], "muted", "4 3", 1.5],
      [[0, 1], [0, 1 - now.easy], "muted", "4 3", 1.5],
      [[0, 1], [now.worse, now.worse], "danger", "4 3", 1.5],
      ...saving > 0 && now.saved <= saving ? [[[now.saved / saving, now.saved / saving], [0, top], "danger", "4 3", 1.5]] : [],
      [points.map(({cheap}) => cheap), points.map(({worse}) => worse), "total", "solid", 2],
      [inside, inside.map(x => worseAt(points, x)), "total", "solid", 7],
    );
    plot.points([found.point.cheap, found.point.worse, "total"]);
    plot.labels(...band && band.most > band.least ? [[(band.least + band.most) / 2, now.worse, "safe", "ink", "above"]] : []);
    reading.show();
  }

  function show({state, report}) {
    const now = asked(), strong = report.request_usd, cheap = cheapUsd(state, report, settings.cheap, Number(settings.cheap_price) / 100);
    const found = routed(now, cheap, strong);
    saving = isNaN(cheap) ? 0 : savedOf(cheap, strong);
    points = curve(now);
    write({said: isNaN(cheap) ? missing(data.names.model[settings.cheap]) : sentence(found, now), ...legend(now), axes});
    arrange(body, isNaN(cheap) ? [] : rows(found, cheap, strong).map(row));
    tableOpened(panel, () => table(points, saving));
    draw(now, found);
  }

  const read = /** @type {any} */ ({
    label: "Share sent to the cheap model: a point of the chart",
    axis: STEPS,
    at(share) {
      const worse = worseAt(points, share);
      return {x: share, marks: [[worse, "total"]], lines: lines(share, worse, saving)};
    },
  });

  return {
    show,
    present(look) {
      settings = look.settings;
      dark = look.theme === "dark";
      price.closest(".field").hidden = settings.cheap !== "priced";
    },
    connect(roots) {
      plot = new Plot(panel, place, roots.get(place));
      reading = new Reading(panel, plot, read, store);
      reading.place = STEPS[STEPS.length >> 1];
      reading.lock([]);
      plot.onResize(() => { if (!root.hidden) show(store); });
      if (!root.hidden) show(store);
    },
  };
}
