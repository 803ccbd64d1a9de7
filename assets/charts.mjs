// Reports into the figures' sources. The charts only draw what `evaluate` returned.
import data from "./data.mjs";
import {count, number} from "./format.mjs";
import {attainable_flops_per_s, evaluate} from "./model.mjs";
import {legends} from "./words.mjs";

const MS = data.units.s.find(([name]) => name === "ms")[1];
const [INTENSITY_FROM, INTENSITY_TO] = data.roofline_intensity;

const THROUGHPUT_X = [1, 4, 16, 64, 256, 1024];
const ROOFLINE_X = [0.01, 1, 100, 1e4, 1e6];
const TFLOPS = [0.01, 0.1, 1, 10, 100, 1000, 1e4];

/** The decade bounds around some positive values, for a log axis that moves in steps. */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return Array.from({length: high - low + 1}, (_, i) => Number(`1e${low + i}`));
}

function throughput(figures, state, r) {
  const curve = data.batch_curve.map(batch => evaluate({...state, batch}));
  const columns = reports => ({
    batch: reports.map(each => each.batch),
    tokens_per_s: reports.map(each => each.tokens_per_s),
    tokens_per_s_per_user: reports.map(each => each.tokens_per_s_per_user),
  });
  const drawn = columns(curve);
  const ticks = decades([...drawn.tokens_per_s, ...drawn.tokens_per_s_per_user]);
  figures.set("throughput_range", {start: ticks[0], end: ticks.at(-1)});
  figures.ticks("throughput_x", THROUGHPUT_X, ticks[0]);
  figures.ticks("throughput_y", ticks, figures.get("throughput_batches").start);
  figures.set("throughput_curve", {data: drawn});
  figures.set("throughput_now", {data: columns([r])});
  const visible = r.max_batch < data.controls.batch.range[1];
  figures.set("wall", {location: r.max_batch, visible: visible && r.max_batch >= 1});
  figures.set("wall_area", {left: r.max_batch, visible});
}

function roofline(figures, state, r) {
  const roof = intensity =>
    attainable_flops_per_s(intensity, r.peak_flops_per_s, r.hbm_bytes_per_s);
  const xs = [INTENSITY_FROM, r.ridge_flops_per_byte, INTENSITY_TO];
  const points = [["decode", r.decode_flops_per_byte], ["prefill", r.prefill_flops_per_byte]];
  if (r.n_drafted > 0) points.push(["verify", r.verify_flops_per_byte]);
  const tflops = data.units["FLOP/s"][0][1];
  figures.ticks("roofline_x", ROOFLINE_X, TFLOPS[0] * tflops);
  figures.ticks("roofline_y", TFLOPS.map(each => each * tflops), INTENSITY_FROM, TFLOPS);
  figures.set("roof", {data: {x: xs, y: xs.map(roof)}});
  figures.set("ridge", {location: r.ridge_flops_per_byte});
  figures.set("roof_points", {data: {
    x: points.map(([, x]) => x),
    y: points.map(([, x]) => roof(x)),
    label: points.map(([label]) => label),
  }});
}

function steptime(figures, state, r) {
  const speculating = r.n_drafted > 0;
  const [memory, arithmetic, drafting] = ["reading HBM", "arithmetic", "drafting"];
  const bar = (row, left, right) =>
    ({data: {row: [row], left: [left / MS], right: [right / MS]}});
  const factors = speculating ? [drafting, arithmetic, memory] : [arithmetic, memory];
  figures.set("step_rows", {factors});
  figures.set("step_weights", bar(memory, 0, r.weight_read_s));
  figures.set("step_kv", bar(memory, r.weight_read_s, r.memory_s));
  figures.set("step_compute", bar(arithmetic, 0, r.verify_compute_s));
  figures.set("step_draft", speculating ? bar(drafting, 0, r.draft_s) : {data: {row: [], left: [], right: []}});
  const longest = Math.max(r.memory_s, r.verify_compute_s, r.draft_s) / MS;
  const ticks = round(longest);
  figures.set("step_range", {start: 0, end: ticks.at(-1)});
  figures.ticks("steptime_x", ticks, factors[0]);
  figures.ticks("steptime_y", factors, 0, factors);
}

/** Round numbers from 0 to the first one that is not below the longest. */
function round(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [0.2, 0.5, 1, 2].find(each => each * power * 5 >= longest) * power;
  const ticks = [0];
  while (ticks.at(-1) < longest) ticks.push(Number((ticks.length * step).toPrecision(6)));
  return ticks;
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
    ["decode", number(r.decode_flops_per_byte), r.bound],
    ["prefill", number(r.prefill_flops_per_byte), r.prefill_bound],
    ...(r.n_drafted > 0 ? [["verify", number(r.verify_flops_per_byte), r.verify_bound]] : []),
    ["ridge", number(r.ridge_flops_per_byte), ""],
  ],
  steptime: (state, r) => [
    ["part", "milliseconds"],
    ["reading weights", number(r.weight_read_s / MS)],
    ["reading KV cache", number(r.kv_read_s / MS)],
    ["arithmetic", number(r.verify_compute_s / MS)],
    ...(r.n_drafted > 0 ? [["drafting", number(r.draft_s / MS)]] : []),
  ],
};

/** Draw one chart, if the figures are there; its legend's texts are returned. */
export function draw(chart, figures, state, report) {
  if (figures) DRAW[chart](figures, state, report);
  return legends[chart](state, report);
}

/** The rows of a chart's table, the first one being its head. */
export function rows(chart, state, report) {
  return TABLES[chart](state, report);
}

/** The Bokeh side: models found by name, set together. */
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

  set(name, properties) {
    this.get(name).setv(properties);
  }

  /** Labels along an axis at `edge` of the other one; nothing is done if they stand there. */
  ticks(name, at, edge, labels = at) {
    const drawn = `${at} ${edge}`;
    if (this.drawn.get(name) === drawn) return;
    this.drawn.set(name, drawn);
    const label = labels.map(each => typeof each === "string" ? each : count(each));
    this.set(name, {data: {at, edge: at.map(() => edge), label}});
  }

  paint(theme) {
    for (const [id, property, token] of data.painted) {
      this.document.get_model_by_id(id).setv({[property]: data.colours[token][theme === "dark" ? 1 : 0]});
    }
  }
}
