// Reports into the figures' sources. The charts only draw what `evaluate` returned.
import data from "../built/data.mjs";
import {count, number} from "../core/format.mjs";
import {attainable_flops_per_s, evaluate} from "../built/model.mjs";
import {boundWord, legends} from "../core/words.mjs";

const MS = data.units.s.find(([name]) => name === "ms")[1];
const [TFLOPS_NAME, TFLOPS] = data.units["FLOP/s"][0];
const [INTENSITY_FROM, INTENSITY_TO] = data.roofline.x;

const THROUGHPUT_X = [1, 4, 16, 64, 256, 1024];
const ROOFLINE_X = [0.01, 1, 100, 1e4, 1e6];
const ROOFLINE_X_LABELS = ["0.01", "1", "100", "10 k", "1 M"];
const ROOFLINE_Y = [0.01, 0.1, 1, 10, 100, 1000, 1e4];

/** Powers of ten around some positive values, for a log axis that moves in steps. */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return Array.from({length: high - low + 1}, (_, i) => Number(`1e${low + i}`));
}

/** Round numbers from 0 to the first one that is not below the longest. */
function rounds(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [0.2, 0.5, 1, 2].find(each => each * power * 5 >= longest) * power;
  const ticks = [0];
  while (ticks.at(-1) < longest) ticks.push(Number((ticks.length * step).toPrecision(6)));
  return ticks;
}

/** Rows of [xs, ys, color, dash, width] as the columns of a source of lines. */
function lines(...rows) {
  const column = i => rows.map(row => row[i]);
  return {xs: column(0), ys: column(1), color: column(2), dash: column(3), width: column(4)};
}

/** Rows of [x, y, color, label] as the columns of a source of points. */
function points(colour, ...rows) {
  const column = i => rows.map(row => row[i]);
  const all = token => rows.map(() => colour(token));
  return {x: column(0), y: column(1), color: column(2), label: column(3), card: all("card"), ink: all("ink")};
}

function throughput(figures, colour, state, r) {
  const curve = data.batch_curve.map(batch => evaluate({...state, batch}));
  const batches = curve.map(each => each.batch);
  const total = curve.map(each => each.tokens_per_s);
  const user = curve.map(each => each.tokens_per_s_per_user);
  const ticks = decades([...total, ...user]);
  figures.axes("throughput", {x: THROUGHPUT_X, y: ticks, range: {y: [ticks[0], ticks.at(-1)]}});
  figures.wall("throughput", Math.max(r.max_batch, 1));
  figures.fill("throughput_lines", lines(
    [batches, total, colour("total"), "solid", 2.5],
    [batches, user, colour("user"), "7 4", 2.5],
  ));
  figures.fill("throughput_points", points(colour,
    [r.batch, r.tokens_per_s, colour("total"), ""],
    [r.batch, r.tokens_per_s_per_user, colour("user"), ""],
  ));
}

function roofline(figures, colour, state, r) {
  const roof = x => attainable_flops_per_s(x, r.peak_flops_per_s, r.hbm_bytes_per_s);
  const ridge = r.ridge_flops_per_byte;
  const xs = [INTENSITY_FROM, ridge, INTENSITY_TO];
  const at = (label, x) => [x, roof(x), colour("accent"), label];
  figures.axes("roofline", {x: ROOFLINE_X, y: ROOFLINE_Y.map(each => each * TFLOPS), labels: {x: ROOFLINE_X_LABELS, y: ROOFLINE_Y}});
  figures.fill("roofline_lines", lines(
    [[ridge, ridge], data.roofline.y, colour("muted"), "2 3", 1.5],
    [xs, xs.map(roof), colour("ink"), "solid", 2.5],
  ));
  figures.fill("roofline_points", points(colour,
    at("decode", r.decode_flops_per_byte),
    at("prefill", r.prefill_flops_per_byte),
    ...(r.n_drafted > 0 ? [at("verify", r.verify_flops_per_byte)] : []),
  ));
}

function steptime(figures, colour, state, r) {
  const speculating = r.n_drafted > 0;
  const talking = r.verify_communication_s > 0;
  const [memory, arithmetic, communication, drafting] =
    ["reading HBM", "arithmetic", "between GPUs", "drafting"];
  const rows = [
    ...(speculating ? [drafting] : []), ...(talking ? [communication] : []), arithmetic, memory];
  const bars = [
    [memory, 0, r.verify_weight_read_s, "weights"],
    [memory, r.verify_weight_read_s, r.verify_memory_s, "kv"],
    [arithmetic, 0, r.verify_compute_s, "compute"],
    ...(talking ? [[communication, 0, r.verify_communication_s, "comms"]] : []),
    ...(speculating ? [[drafting, 0, r.draft_s, "draft"]] : []),
  ];
  const ticks = rounds(Math.max(...bars.map(([, , right]) => right)) / MS);
  figures.axes("steptime", {x: ticks, y: rows, range: {x: [0, ticks.at(-1)], y: rows}});
  figures.fill("steptime_bars", {
    row: bars.map(([row]) => row),
    left: bars.map(([, left]) => left / MS),
    right: bars.map(([, , right]) => right / MS),
    color: bars.map(([, , , token]) => colour(token)),
  });
}

const DRAW = {throughput, roofline, steptime};

const TABLES = {
  throughput: state => [
    ["batch", "all users, tokens/s", "one user, tokens/s", "fits"],
    ...data.controls.batch.stops.map(batch => {
      const r = evaluate({...state, batch});
      return [count(batch), number(r.tokens_per_s), number(r.tokens_per_s_per_user), r.fits ? "yes" : "no"];
    }),
  ],
  roofline: (state, r) => [
    ["", "FLOP/byte", "bound"],
    ["decode", number(r.decode_flops_per_byte), boundWord(r.bound)],
    ["prefill", number(r.prefill_flops_per_byte), boundWord(r.prefill_bound)],
    ...(r.n_drafted > 0 ? [["verify", number(r.verify_flops_per_byte), boundWord(r.verify_bound)]] : []),
    ["ridge", number(r.ridge_flops_per_byte), ""],
    [`peak, ${TFLOPS_NAME}`, number(r.peak_flops_per_s / TFLOPS), ""],
  ],
  steptime: (state, r) => [
    ["part", "milliseconds"],
    ["reading weights", number(r.verify_weight_read_s / MS)],
    ["reading KV cache", number(r.kv_read_s / MS)],
    ["arithmetic", number(r.verify_compute_s / MS)],
    ...(r.verify_communication_s > 0 ? [["communication", number(r.verify_communication_s / MS)]] : []),
    ...(r.n_drafted > 0 ? [["drafting", number(r.draft_s / MS)]] : []),
  ],
};

/** Draw one chart, if the figures are there; its legend's texts are returned. */
export function draw(chart, figures, theme, state, report) {
  const colour = token => data.colours[token][theme === "dark" ? 1 : 0];
  if (figures) DRAW[chart](figures, colour, state, report);
  return legends[chart](state, report);
}

/** The rows of a chart's table, the first one being its head. */
export function rows(chart, state, report) {
  return TABLES[chart](state, report);
}

/** The Bokeh document's models by name, and the labels that the page puts around them. */
export class Figures {
  constructor(document) {
    this.document = document;
    this.models = new Map();
    this.drawn = new Map();
  }

  get(name) {
    if (!this.models.has(name)) this.models.set(name, this.document.get_model_by_name(name));
    return this.models.get(name);
  }

  fill(name, columns) {
    this.get(name).setv({data: columns});
  }

  /** Ticks of both axes, with the ranges that move; nothing is done where nothing moved. */
  axes(chart, {range = {}, labels = {}, ...ticks}) {
    for (const axis of ["x", "y"]) {
      const drawn = String(ticks[axis]);
      const key = `${chart}_${axis}`;
      if (this.drawn.get(key) === drawn) continue;
      this.drawn.set(key, drawn);
      const model = this.get(key);
      if (range[axis]) {
        model.setv(model.factors ? {factors: range[axis]} : {start: range[axis][0], end: range[axis][1]});
      }
      this.label(chart, axis, ticks[axis], labels[axis] ?? ticks[axis], model);
    }
  }

  label(chart, axis, ticks, labels, model) {
    document.querySelector(`[data-axis="${chart}-${axis}"]`).replaceChildren(
      ...ticks.map((tick, i) => {
        const label = document.createElement("li");
        label.textContent = typeof labels[i] === "string" ? labels[i] : count(labels[i]);
        const at = model.factors ? (i + 0.5) / ticks.length : share(tick, model, chart !== "steptime");
        label.style.setProperty("--at", at);
        return label;
      }),
    );
  }

  /** The part of a chart beyond some x, hatched; none of it where x is past the axis. */
  wall(chart, x) {
    if (this.drawn.get("wall") === x) return;
    this.drawn.set("wall", x);
    document.querySelector(`[data-wall="${chart}"]`).style
      .setProperty("--at", Math.min(share(x, this.get(`${chart}_x`), true), 1));
  }
}

/** Where a value lies on an axis, from 0 to 1. */
function share(value, {start, end}, log) {
  const scale = log ? Math.log : each => each;
  return (scale(value) - scale(start)) / (scale(end) - scale(start));
}
