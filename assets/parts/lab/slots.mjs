// One replay over time: what its slots do, how many requests wait, what its KV memory holds.
import data from "../../built/data.mjs";
import {rounds} from "../../core/curves.mjs";
import {cache} from "../../core/lab/passes.mjs";
import {bars, meanQueue} from "../../core/lab/picture.mjs";
import {columns, moments, mostly, states, timelines} from "../../core/lab/strips.mjs";
import {MS} from "../../core/numbers.mjs";
import {amount, count} from "../../core/words/format.mjs";
import {statesInWords} from "../../core/words/strips.mjs";
import {element} from "../dom.mjs";
import {withoutTools} from "../plot.mjs";
import {tableOpened} from "../table.mjs";

/** So much of a slot's row is its bar; what is none of its work is a line. Of many slots, all of it. */
const HEIGHT = 0.82, LINES = {away: 0.3, idle: 0.1}, MANY = 40;

/** Of many bars each of so many places along the time shows what a slot does most; so many columns an amount has. */
const PLACES = 800, COLUMNS = 500;

/** Pixels that strips are high: of more slots not each has a row, and amounts are told apart by one. */
const HEIGHTS = {slots: 176, queue: 36, cache: 56};

/** So many bars have edges and hatches that can be told apart; of more these would take all the time. */
const FEW = 400;

/** The outline of a request is at least so high, and in thin rows so far aside: within it they are seen. [px] */
const OUTLINE = 9, ASIDE = 3;

/** Moments that the table has. */
const ROWS = 20;

const COLOURS = {prefill: "compute", decode: "weights", transit: "comms", away: "danger", held: "sunken", idle: "control-line"};

/** Where rows are too thin for lines and hatches. */
const FLAT = {...COLOURS, held: "control-line", idle: "sunken"};

const FIGURES = Object.keys(HEIGHTS), COLOURED = new Set(["fill", "edge"]);

/** Whether the bars of a replay have edges, lines and hatches. */
export function isFine({phases, n_slots}) {
  return n_slots <= MANY && bars(phases).length <= FEW;
}

/**
 * @param {HTMLElement} root of the run
 * @param {(request: number) => void} watch is told which request the reader points out
 */
export function slots(root, watch) {
  const strip = root.querySelector(".slots");
  const curtains = root.querySelectorAll(".curtain");
  const scales = Object.fromEntries(FIGURES.map(name => [name, root.querySelector(`[data-scale="${name}"]`)]));
  let figures = null, sources = null, shown = null;   // what is drawn: bars, number of slots, span

  strip.addEventListener("click", event => {
    if (!shown) return;
    const {left, top, width, height} = strip.getBoundingClientRect();
    const at = shown.start_s + (event.clientX - left) / width * (shown.end_s - shown.start_s);
    const slot = Math.floor((event.clientY - top) / height * shown.n_slots);
    const bar = shown.bars.find(each => each.slot === slot && each.from <= at && at < each.to);
    if (bar) watch(bar.request);
  });

  function fill(name, rows) {
    const source = sources[name];
    // What is flat Bokeh does not look through for models of its own.
    source.setv({data: Object.fromEntries(source.columns().map(column => [column,
      COLOURED.has(column) ? rows.map(row => row[column]) : Float64Array.from(rows, row => row[column])]))});
  }

  function span(figure, {start_s, end_s}, top) {
    figure.x_range.setv({start: start_s, end: end_s});
    figure.y_range.setv({start: 0, end: top});
  }

  function drawSlots(run, {start_s, end_s, watched, isFine}, colour) {
    const {n_slots} = run, every = Math.ceil(n_slots / HEIGHTS.slots);
    const lines = timelines(shown.bars, n_slots, start_s, run.end_s).filter((_, slot) => slot % every === 0);
    const colours = isFine ? COLOURS : FLAT, full = n_slots > MANY ? every : HEIGHT;
    const row = ({slot, from, to, what}) => {
      const fill = colour(colours[what]), isLine = isFine && what in LINES;
      return {slot: n_slots - slot - every / 2, left: from, right: to, height: isLine ? LINES[what] : full, fill, edge: isLine ? fill : colour("card")};
    };
    const aside_s = isFine ? 0 : ASIDE * (end_s - start_s) / (figures.slots.inner_width || PLACES);
    const places = moments(start_s, end_s, PLACES), all = lines.flatMap(line => isFine ? line : mostly(line, places));
    span(figures.slots, {start_s, end_s}, n_slots);
    figures.slots.select_one("busy bars").glyph.setv({line_alpha: {value: isFine ? 1 : 0}});
    figures.slots.select_one("held bars").glyph.setv({
      hatch_color: {value: colour("control-line")}, hatch_alpha: {value: isFine ? 1 : 0},
    });
    fill("held", all.filter(each => each.what === "held").map(row));
    fill("busy", all.filter(each => each.what !== "held").map(row));
    fill("watched", shown.bars.filter(each => each.request === watched && each.what !== "held")
      .map(each => ({
        ...row(each), left: each.from - aside_s, right: each.to + aside_s,
        height: Math.max(full, OUTLINE * n_slots / HEIGHTS.slots), fill: colour("ink"),
      })));
  }

  /** Layers from the ground up, each as its values and its colour. */
  function stack(name, at_s, top, layers) {
    // Each a little wider, so that no seam is seen between two.
    const over_s = (at_s.at(-1) - at_s[0]) / COLUMNS / 2;
    const rows = columns(at_s, layers.map(([values]) => values), top / HEIGHTS[name]);
    fill(name, rows.map(({layer, left, right, from, to}) =>
      ({middle: (from + to) / 2, left, right: right + over_s, amount: to - from, fill: layers[layer][1]})));
  }

  return {
    connect(roots) {
      const places = Object.fromEntries(FIGURES.map(name => [name, root.querySelector(`.${name} .figure`)]));
      for (const place of Object.values(places)) withoutTools(place);
      figures = Object.fromEntries(FIGURES.map(name => [name, roots.get(places[name])]));
      sources = Object.fromEntries(["held", "busy", "watched", "queue", "cache"].map(name =>
        [name, figures[name in figures ? name : "slots"].select_one(name)]));
    },

    /** A run over the time and the heights that both share, with one request pointed out. */
    draw(run, shared) {
      const {start_s, end_s, most_waiting, most_bytes, dark} = shared, {n_slots} = run;
      const colour = token => data.colours[token][dark ? 1 : 0];
      shown = {bars: bars(run.phases), n_slots, start_s, end_s};
      scale(scales.slots, n_slots > 1 ? ["1", count(n_slots)] : ["1"]);
      scale(scales.queue, [count(most_waiting), "0"]);
      scale(scales.cache, [amount(most_bytes, "B"), "0"]);
      axis(root.querySelector(".time"), end_s - start_s);
      tableOpened(root, () => statesInWords(states(run, moments(start_s, run.end_s, ROWS)), start_s));
      if (!figures) return;
      drawSlots(run, shared, colour);
      const at_s = moments(start_s, end_s, COLUMNS);
      span(figures.queue, shared, most_waiting);
      stack("queue", at_s, most_waiting, [[meanQueue(run.requests, at_s), colour("muted")]]);
      const {holding, toCome, never} = cache(run.passes, at_s.slice(1));
      span(figures.cache, shared, most_bytes);
      stack("cache", at_s, most_bytes, [[holding, colour("kv")], [toCome, colour("control-line")], [never, colour("muted")]]);
    },

    /** Cover what lies after a moment, as a share of the whole time. */
    cover(share) {
      for (const each of curtains) each.style.setProperty("--at", share);
    },
  };
}

/** From the top of a strip to its ground. */
function scale(list, texts) {
  if (list.textContent !== texts.join("")) list.replaceChildren(...texts.map(text => element("li", text)));
}

/** The time since the first request came. */
function axis(list, length_s) {
  if (list.dataset.length === String(length_s)) return;
  list.dataset.length = String(length_s);
  const isShort = length_s < 1, unit = isShort ? "ms" : "s";
  list.replaceChildren(...rounds(length_s).filter(tick => tick <= length_s).map(tick => {
    const label = element("li", `${count(isShort ? Number((tick / MS).toPrecision(6)) : tick)} ${unit}`);
    label.style.setProperty("--at", tick / length_s);
    return label;
  }));
}
