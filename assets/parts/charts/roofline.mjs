// The roof of the chosen card, and where decode, or the pass that verifies, and prefill stand under it.
import data from "../../built/data.mjs";
import {
  attainable_flops_per_s, reached_flops_per_s, reached_ridge_flops_per_byte,
} from "../../built/arithmetic.mjs";
import {speculates} from "../../core/speculation.mjs";
import {amount, count, number, rating} from "../../core/words/format.mjs";
import {boundWord, ridgeSide} from "../../core/words/phrases.mjs";

const [[TFLOPS_NAME, TFLOPS]] = data.units["FLOP/s"];
const X = [0.01, 1, 100, 1e4, 1e6];
const X_LABELS = ["0.01", "1", "100", "10 k", "1 M"];
const Y_TFLOPS = [0.01, 0.1, 1, 10, 100, 1000, 1e4];

/** Where an arrow key stops: three places in each power of ten. */
const PLACES = Array.from({length: 8 * 3 + 1}, (_, i) => Number(`${[1, 2, 5][i % 3]}e${Math.floor(i / 3) - 2}`));

export const legend = {
  roof: ["line-roof", (state, r) => `roof at ${count(r.chip_math_bits)} bit`],
  reached: ["line-reached", (state, r) => isEstimate(r) ? "what engines reach of it" : ""],
  ridge: ["line-ridge", (state, r) =>
    `ridge: ${rating(r.peak_flops_per_s, "FLOP/s")} ÷ ${rating(r.hbm_bytes_per_s, "B/s")} = ${amount(r.ridge_flops_per_byte, "FLOP/B")}`],
};

export function draw(plot, state, r, before) {
  const range = plot.range("x"), ridge = r.ridge_flops_per_byte;
  const roof = (report, style) => line([range[0], report.ridge_flops_per_byte, range[1]], x => ideal(x, report), style);
  plot.axes({x: X, y: Y_TFLOPS.map(each => each * TFLOPS), labels: {x: X_LABELS, y: Y_TFLOPS}});
  plot.lines(
    [[ridge, ridge], plot.range("y"), "muted", "2 3", 1.5],
    ...(before ? [roof(before, ["ink", "solid", 2.5, 0.25])] : []),
    roof(r, ["ink", "solid", 2.5]),
    ...(isEstimate(r) ? passes(r).map(({efficiency}) => {
      const kink = reached_ridge_flops_per_byte(ridge, r.bandwidth_efficiency, efficiency);
      return line([range[0], kink, range[1]], x => reached(x, r, efficiency), ["accent", "7 4", 2]);
    }) : []),
  );
  plot.points(
    ...(before ? passes(before).map(pass => [pass.x, pass.y, "accent", 0.3]) : []),
    ...passes(r).map(pass => [pass.x, pass.y, "accent"]),
  );
  const [decode, prefill] = passes(r);
  plot.labels(
    // At opposite sides of the roof: however near they come, they do not meet.
    [decode.x, decode.y, decode.label, "ink", "below"],
    [prefill.x, Math.max(ideal(prefill.x, r), prefill.y), prefill.label, "ink", "above"],
    [ridge, plot.range("y")[0], `ridge ${count(ridge)}`, "ink", "aside"],
  );
}

export const reading = {
  label: "Roofline, FLOP per byte",
  axis: PLACES,
  at(x, r) {
    const near = passes(r).find(pass => Math.abs(Math.log(pass.x / x)) < 0.2);
    const at = near?.x ?? x;
    return {
      x: at,
      marks: [[ideal(at, r), "ink"]],
      lines: [
        ...(near ? [near.label] : []),
        amount(Number(at.toPrecision(3)), "FLOP/B"),
        `at most ${amount(ideal(at, r), "FLOP/s")}`,
        ...(isEstimate(r) ? [`engines: ${amount(reached(at, r, r.decode_efficiency), "FLOP/s")}`] : []),
        place(at, r, near?.bound),
      ],
    };
  },
};

export function sentence(state, r) {
  const [decode, prefill] = passes(r);
  const stands = pass => `${pass.label} FLOP/byte, ${boundWord(pass.bound)}-bound`;
  return `The ridge of this GPU stands at ${amount(r.ridge_flops_per_byte, "FLOP/B")}; ${stands(decode)}; ${stands(prefill)}.`;
}

export function table(state, r) {
  const row = (name, x, y, bound) => [name, count(x), number(y / TFLOPS), bound];
  return [
    ["", "FLOP/byte", `at most, ${TFLOPS_NAME}`, "bound"],
    ...passes(r).map(pass => row(pass.name, pass.x, pass.y, boundWord(pass.bound))),
    row("ridge", r.ridge_flops_per_byte, r.peak_flops_per_s, "both"),
  ];
}

/** The pass that yields tokens, and prefill: under the roof of the assumptions. */
function passes(r) {
  const pass = (name, x, efficiency, bound) =>
    ({name, x, y: reached(x, r, efficiency), efficiency, bound, label: `${name} ${count(x)}`});
  return [
    speculates(r)
      ? pass("decode (verify pass)", r.verify_flops_per_byte, r.decode_efficiency, r.verify_bound)
      : pass("decode", r.decode_flops_per_byte, r.decode_efficiency, r.bound),
    pass("prefill", r.prefill_flops_per_byte, r.prefill_efficiency, r.prefill_bound),
  ];
}

/** On which side of the ridge, and what binds there: of a pass it may be something else. */
function place(x, r, bound) {
  const side = ridgeSide(x, r), there = side === "above" ? "compute" : "memory";
  return `${side} the ridge${bound && bound !== there ? ", but " : ": "}${boundWord(bound ?? there)}-bound`;
}

function line(xs, y, style) {
  return [xs, xs.map(y), ...style];
}

function ideal(x, r) {
  return attainable_flops_per_s(x, r.peak_flops_per_s, r.hbm_bytes_per_s);
}

function reached(x, r, efficiency) {
  return reached_flops_per_s(x, r.peak_flops_per_s, r.hbm_bytes_per_s, r.bandwidth_efficiency, efficiency);
}

function isEstimate(r) {
  return Math.min(r.bandwidth_efficiency, r.decode_efficiency, r.prefill_efficiency) < 1;
}
