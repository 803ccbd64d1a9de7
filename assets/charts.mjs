// Reports into the figures' sources. The charts only draw what `evaluate` returned.
import data from "./data.mjs";
import {count, number} from "./format.mjs";
import {attainable_flops_per_s, evaluate} from "./model.mjs";
import {legends} from "./words.mjs";

const MS = data.units.s.find(([name]) => name === "ms")[1];
const [INTENSITY_FROM, INTENSITY_TO] = data.roofline_intensity;

/** The decade bounds around some positive values, for a log axis that moves in steps. */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

function throughput(figures, state, r) {
  const curve = data.batch_curve.map(batch => evaluate({...state, batch}));
  const columns = reports => ({
    batch: reports.map(each => each.batch),
    tokens_per_s: reports.map(each => each.tokens_per_s),
    tokens_per_s_per_user: reports.map(each => each.tokens_per_s_per_user),
  });
  const drawn = columns(curve);
  const [start, end] = decades([...drawn.tokens_per_s, ...drawn.tokens_per_s_per_user]);
  figures.set("throughput_y", {start, end});
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
  figures.set("step_rows", {factors: speculating ? [drafting, arithmetic, memory] : [arithmetic, memory]});
  figures.set("step_weights", bar(memory, 0, r.weight_read_s));
  figures.set("step_kv", bar(memory, r.weight_read_s, r.memory_s));
  figures.set("step_compute", bar(arithmetic, 0, r.verify_compute_s));
  figures.set("step_draft", speculating ? bar(drafting, 0, r.draft_s) : {data: {row: [], left: [], right: []}});
  const longest = Math.max(r.memory_s, r.verify_compute_s, r.draft_s) / MS;
  figures.set("step_x", {start: 0, end: nice(longest)});
}

/** The next round number (1, 2, 5 or their tens) that leaves the bar a little air. */
function nice(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  return [1, 1.5, 2, 3, 5, 7.5, 10].map(step => step * power).find(end => end >= longest);
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
  }

  set(name, properties) {
    if (!this.models.has(name)) this.models.set(name, this.document.get_model_by_name(name));
    this.models.get(name).setv(properties);
  }

  paint(theme) {
    for (const [id, property, token] of data.painted) {
      this.document.get_model_by_id(id).setv({[property]: data.colours[token][theme === "dark" ? 1 : 0]});
    }
  }
}
