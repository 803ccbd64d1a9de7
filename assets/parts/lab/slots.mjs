// One replay over time: what its slots do, and beneath it what its KV memory holds.
import data from "../../built/data.mjs";
import {cache} from "../../core/lab/passes.mjs";
import {bars, visible} from "../../core/lab/picture.mjs";

/** So much of a slot's row is its bar; of many slots, all of it. */
const HEIGHT = 0.82, MANY = 40;

/** Places along the time axis at which the memory is drawn, and of which a bar fills one at least. */
const PLACES = 800;

/** So many bars have edges and hatches that can be told apart; of more these would take all the time. */
const FEW = 600;

/** Columns of a bar. */
const BAR = ["slot", "left", "right", "height", "fill"];

const COLOURS = {prefill: "compute", decode: "weights"};

/**
 * @param {HTMLElement} root of the run
 * @param {(request: number) => void} watch is told which request the reader points out
 */
export function slots(root, watch) {
  const strip = root.querySelector(".slots");
  const curtains = root.querySelectorAll(".curtain");
  let figures = null, shown = null;   // what is drawn: bars, number of slots, end

  strip.addEventListener("click", event => {
    if (!shown) return;
    const {left, top, width, height} = strip.getBoundingClientRect();
    const at = (event.clientX - left) / width * shown.end_s;
    const slot = Math.floor((event.clientY - top) / height * shown.n_slots);
    const bar = shown.bars.find(each => each.slot === slot && each.from <= at && at < each.to);
    if (bar) watch(bar.request);
  });

  return {
    connect(roots) {
      figures = Object.fromEntries(["slots", "cache"].map(name =>
        [name, roots.get(root.querySelector(`.${name} .figure`))]));
    },

    /** Draw a run up to a time that both share, with one request pointed out. */
    draw(run, {end_s, most_tokens, watched, dark}) {
      if (!figures) return;
      const colour = token => data.colours[token][dark ? 1 : 0];
      const {n_slots} = run, height = n_slots > MANY ? 1 : HEIGHT;
      shown = {bars: bars(run.requests, run.policy), n_slots, end_s};
      const rows = (list, token) => list.map(({slot, from, to, what}) => {
        const fill = colour(token ?? COLOURS[what]);
        return {slot: slot + 0.5, left: from, right: to, height, fill, edge: colour("card")};
      });
      const seen = visible(shown.bars, end_s / PLACES);
      const held = seen.filter(each => each.what === "held");
      const busy = seen.filter(each => each.what !== "held");
      figures.slots.x_range.setv({start: 0, end: end_s});
      figures.slots.y_range.setv({start: n_slots, end: 0});
      const ofOne = shown.bars.filter(each => each.request === watched && each.what !== "held");
      const isFine = seen.length <= FEW && n_slots <= MANY;
      figures.slots.select_one("busy bars").glyph.setv({line_alpha: {value: isFine ? 1 : 0}});
      figures.slots.select_one("held bars").glyph.setv({
        hatch_color: {value: colour("control-line")}, hatch_alpha: {value: isFine ? 1 : 0},
      });
      fill(figures.slots, "held", byColumn(rows(held, isFine ? "sunken" : "line"), BAR));
      fill(figures.slots, "busy", byColumn(rows(busy), [...BAR, "edge"]));
      fill(figures.slots, "watched", byColumn(rows(ofOne, "ink"), BAR));

      const memory = cache(run.passes, run.block_len, end_s, PLACES);
      figures.cache.x_range.setv({start: 0, end: end_s});
      figures.cache.y_range.setv({start: 0, end: most_tokens});
      // Each a little wider, so that no seam is seen between two.
      const over_s = end_s / PLACES / 2;
      const columnsOf = (tokens, token) => memory.at_s.slice(1).map((at, i) =>
        ({middle: tokens[i + 1] / 2, left: memory.at_s[i], right: at + over_s, tokens: tokens[i + 1], fill: colour(token)}));
      const places = [...columnsOf(memory.reserved, "sunken"), ...columnsOf(memory.held, "kv")];
      fill(figures.cache, "cache", byColumn(places, ["middle", "left", "right", "tokens", "fill"]));
    },

    /** Cover what lies after a moment, as a share of the whole time. */
    cover(share) {
      for (const each of curtains) each.style.setProperty("--at", share);
    },
  };
}

function byColumn(rows, columns) {
  return Object.fromEntries(columns.map(column => [column, rows.map(row => row[column])]));
}

function fill(figure, name, columns) {
  figure.select_one(name).setv({data: columns});
}
