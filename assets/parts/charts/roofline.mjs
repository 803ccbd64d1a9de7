// The roof of the chosen card, and where decode, verify and prefill stand under it.
import data from "../../built/data.mjs";
import {attainable_flops_per_s} from "../../built/arithmetic.mjs";
import {amount, given, number} from "../../core/format.mjs";
import {boundWord} from "../../core/words.mjs";

const [[TFLOPS_NAME, TFLOPS]] = data.units["FLOP/s"];
const X = [0.01, 1, 100, 1e4, 1e6];
const X_LABELS = ["0.01", "1", "100", "10 k", "1 M"];
const Y_TFLOPS = [0.01, 0.1, 1, 10, 100, 1000, 1e4];

export const legend = {
  roof: ["line-roof", (state, r) =>
    `roof: ${given(r.hbm_bytes_per_s, "B/s")} up to ${given(r.peak_flops_per_s, "FLOP/s")}`],
  ridge: ["line-ridge", (state, r) => `ridge ${amount(r.ridge_flops_per_byte, "FLOP/B")}`],
};

export function draw(plot, state, r) {
  const roof = x => attainable_flops_per_s(x, r.peak_flops_per_s, r.hbm_bytes_per_s);
  const ridge = r.ridge_flops_per_byte;
  const [from, to] = plot.range("x");
  const xs = [from, ridge, to];
  const at = (label, x) => [x, roof(x), "accent", label];
  plot.axes({x: X, y: Y_TFLOPS.map(each => each * TFLOPS), labels: {x: X_LABELS, y: Y_TFLOPS}});
  plot.lines(
    [[ridge, ridge], plot.range("y"), "muted", "2 3", 1.5],
    [xs, xs.map(roof), "ink", "solid", 2.5],
  );
  plot.points(
    at("decode", r.decode_flops_per_byte),
    at("prefill", r.prefill_flops_per_byte),
    ...(r.n_drafted > 0 ? [at("verify", r.verify_flops_per_byte)] : []),
  );
}

export function table(state, r) {
  return [
    ["", "FLOP/byte", "bound"],
    ["decode", number(r.decode_flops_per_byte), boundWord(r.bound)],
    ["prefill", number(r.prefill_flops_per_byte), boundWord(r.prefill_bound)],
    ...(r.n_drafted > 0 ? [["verify", number(r.verify_flops_per_byte), boundWord(r.verify_bound)]] : []),
    ["ridge", number(r.ridge_flops_per_byte), ""],
    [`peak, ${TFLOPS_NAME}`, number(r.peak_flops_per_s / TFLOPS), ""],
  ];
}
