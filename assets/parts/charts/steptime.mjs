// Where the time of one step goes: bytes against arithmetic; the longer one binds.
import data from "../../built/data.mjs";
import {amount, number} from "../../core/format.mjs";

const MS = data.units.s.find(([name]) => name === "ms")[1];

export const legend = {
  binding: ["binding", (state, r) => ({
    memory: `reading HBM binds: ${amount(r.verify_memory_s, "s")}`,
    compute: `arithmetic binds: ${amount(r.verify_compute_s, "s")}`,
    comms: `communication binds: ${amount(r.verify_communication_s, "s")}`,
  })[r.verify_bound]],
  weights: ["weights", (state, r) => `reading weights ${amount(r.verify_weight_read_s, "s")}`],
  kv: ["kv", (state, r) => `reading KV cache ${amount(r.kv_read_s, "s")}`],
  compute: ["compute", (state, r) => `arithmetic ${amount(r.verify_compute_s, "s")}`],
  comms: ["comms", (state, r) =>
    talks(r) ? `communication ${amount(r.verify_communication_s, "s")}` : ""],
  draft: ["draft", (state, r) => speculates(r) ? `drafting ${amount(r.draft_s, "s")}` : ""],
};

export function draw(plot, state, r) {
  const bars = [
    ...(speculates(r) ? [["drafting", 0, r.draft_s, "draft"]] : []),
    ...(talks(r) ? [["between GPUs", 0, r.verify_communication_s, "comms"]] : []),
    ["arithmetic", 0, r.verify_compute_s, "compute"],
    ["reading HBM", 0, r.verify_weight_read_s, "weights"],
    ["reading HBM", r.verify_weight_read_s, r.verify_memory_s, "kv"],
  ];
  const rows = [...new Set(bars.map(([row]) => row))];
  const ticks = rounds(Math.max(...bars.map(([, , right]) => right)) / MS);
  plot.axes({x: ticks, y: rows, range: {x: [0, ticks.at(-1)], y: rows}});
  plot.fill("bars", {
    row: bars.map(([row]) => row),
    left: bars.map(([, left]) => left / MS),
    right: bars.map(([, , right]) => right / MS),
    color: bars.map(([, , , token]) => plot.colour(token)),
  });
}

export function table(state, r) {
  return [
    ["part", "milliseconds"],
    ["reading weights", number(r.verify_weight_read_s / MS)],
    ["reading KV cache", number(r.kv_read_s / MS)],
    ["arithmetic", number(r.verify_compute_s / MS)],
    ...(talks(r) ? [["communication", number(r.verify_communication_s / MS)]] : []),
    ...(speculates(r) ? [["drafting", number(r.draft_s / MS)]] : []),
  ];
}

function speculates(r) { return r.n_drafted > 0; }

function talks(r) { return r.verify_communication_s > 0; }

/** Round numbers from 0 to the first one that is not below the longest. */
function rounds(longest) {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [0.2, 0.5, 1, 2].find(each => each * power * 5 >= longest) * power;
  const ticks = [0];
  while (ticks.at(-1) < longest) ticks.push(Number((ticks.length * step).toPrecision(6)));
  return ticks;
}
