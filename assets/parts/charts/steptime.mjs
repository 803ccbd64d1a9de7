// Where the time of one step goes: bytes against arithmetic; the longer one binds.
import {rounds} from "../../core/curves.mjs";
import {MS} from "../../core/numbers.mjs";
import {speculates} from "../../core/speculation.mjs";
import {amount, number} from "../../core/words/format.mjs";

export const legend = {
  binding: ["binding", (state, r) => binding(r)],
  weights: ["weights", (state, r) => `weights ${amount(r.verify_weight_read_s, "s")}`],
  kv: ["kv", (state, r) => `KV cache ${amount(r.kv_read_s, "s")}`],
  compute: ["compute", (state, r) => `arithmetic ${amount(r.verify_compute_s, "s")}`],
  comms: ["comms", (state, r) =>
    talks(r) ? `communication ${amount(r.verify_communication_s, "s")}` : ""],
  overhead: ["overhead", (state, r) => r.overhead_s > 0 ? `starting layers ${amount(r.overhead_s, "s")}` : ""],
  draft: ["draft", (state, r) => speculates(r) ? `drafting ${amount(r.draft_s, "s")}` : ""],
};

export function draw(plot, state, r, before) {
  const now = bars(r), ghost = before ? bars(before) : [];
  const rows = [...new Set(now.map(([row]) => row))];
  const [, longest] = plot.span("x", [...now, ...ghost].map(([, , right]) => right / MS));
  const ticks = rounds(longest);
  plot.axes({x: ticks, y: rows, range: {x: [0, ticks.at(-1)], y: rows}});
  plot.fill("bars", [
    ...now.map(bar => [...bar, 0, 0.56, 1]),
    // As it was before the move: a thin line under each bar.
    ...ghost.filter(([row]) => rows.includes(row)).map(bar => [...bar, -0.38, 0.1, 0.5]),
  ].map(([row, left, right, token, aside, height, alpha]) => ({
    row: [row, aside], left: left / MS, right: right / MS, color: plot.colour(token), height, alpha,
  })));
}

export function sentence(state, r) {
  return `Of one ${speculates(r) ? "verifying pass" : "step"}: ${binding(r)}; reading weights takes ${amount(r.verify_weight_read_s, "s")}, reading KV cache ${amount(r.kv_read_s, "s")}, arithmetic ${amount(r.verify_compute_s, "s")}.`;
}

export function table(state, r) {
  return [
    ["part", "milliseconds"],
    ["reading weights", number(r.verify_weight_read_s / MS)],
    ["reading KV cache", number(r.kv_read_s / MS)],
    ["arithmetic", number(r.verify_compute_s / MS)],
    ...(talks(r) ? [["communication", number(r.verify_communication_s / MS)]] : []),
    ...(r.overhead_s > 0 ? [["starting layers", number(r.overhead_s / MS)]] : []),
    ...(speculates(r) ? [["drafting", number(r.draft_s / MS)]] : []),
  ];
}

/** Each as [row, from, to, colour]. */
function bars(r) {
  return [
    ...(speculates(r) ? [["drafting", 0, r.draft_s, "draft"]] : []),
    ...(r.overhead_s > 0 ? [["starting layers", 0, r.overhead_s, "muted"]] : []),
    ...(talks(r) ? [["between GPUs", 0, r.verify_communication_s, "comms"]] : []),
    ["arithmetic", 0, r.verify_compute_s, "compute"],
    ["reading memory", 0, r.verify_weight_read_s, "weights"],
    ["reading memory", r.verify_weight_read_s, r.verify_memory_s, "kv"],
  ];
}

function binding(r) {
  return {
    memory: `memory binds: ${amount(r.verify_memory_s, "s")}`,
    compute: `arithmetic binds: ${amount(r.verify_compute_s, "s")}`,
    comms: `communication binds: ${amount(r.verify_communication_s, "s")}`,
    overhead: `overhead binds: ${amount(r.overhead_s, "s")}`,
  }[r.verify_bound];
}

function talks(r) { return r.verify_communication_s > 0; }
