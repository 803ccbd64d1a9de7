// What the build writes into replay.mjs: the records of calc.serving, of which each array has a
// number for each request, or for each run of passes.
import type {State} from "./data.d.mts";

export type Rules = {
  policy: number, n_slots: number, chunk_len: number, block_len: number, max_len: number,
  watermark: number, swap_bytes_per_s: number,
};

export type Mix = {
  rate_per_s: number, burst: number, lengths: number, prompt_len: number, output_len: number,
  max_len: number,
};

export type Requests = {
  arrival_s: Float64Array, prompt_len: Float64Array, output_len: Float64Array,
};

export type Finished = {
  request: Float64Array, arrival_s: Float64Array, prompt_len: Float64Array,
  output_len: Float64Array, slot: Float64Array, start_s: Float64Array,
  first_token_s: Float64Array, finish_s: Float64Array, longest_gap_s: Float64Array,
  n_preemptions: Float64Array,
};

export type Passes = {
  start_s: Float64Array, end_s: Float64Array, first_s: Float64Array, last_s: Float64Array,
  n_passes: Float64Array, is_apart: Float64Array, n_decoding: Float64Array,
  n_padding: Float64Array, n_present: Float64Array, prefilled_tokens: Float64Array,
  blocks_held: Float64Array, tokens_held: Float64Array, reserved_bytes: Float64Array,
  reserved_more_bytes: Float64Array, holding_bytes: Float64Array, holding_more_bytes: Float64Array,
  to_come_bytes: Float64Array,
};

export type Phases = {
  slot: Float64Array, request: Float64Array, status: Float64Array, start_s: Float64Array,
  end_s: Float64Array,
};

export type Totals = {
  n_finished: number, n_preemptions: number, n_steps: number, n_gpus: number, makespan_s: number,
  prefilled_tokens: number, output_tokens: number, tokens_per_s: number,
  tokens_per_s_per_gpu: number, slot_utilisation: number, kv_holding_fraction: number,
  kv_most_fraction: number, wait_mean_s: number, request_mean_s: number, ttft_mean_s: number,
  ttft_p50_s: number, ttft_p99_s: number, itl_p50_s: number, itl_p99_s: number,
};

/** Of `passes` the first `n_runs` count, of `phases` `n_phases`; `n_taken` requests came into slots. */
export type Replay = {
  outcome: number, n_taken: number, requests: Finished, passes: Passes, n_runs: number, phases: Phases,
  n_phases: number, totals: Totals,
};

/** What the time of each pass follows from, and more of it; `pool_bytes` is the room for caches. */
export type Costs = {kinds: Record<string, number>[], n_gpus: number, pool_bytes: number};

type Source = Record<"chance" | "last", Float64Array>;

export const Requests: (keyof Requests)[];
export const DONE: number;
export const NEVER_FITS: number;
/** What a slot does in a phase. */
export const PREFILLING: number;
export const DECODING: number;
export const IN_TRANSIT: number;
export const PREEMPTED: number;
export const PADDING: number;
/** Of passes that stand in one row: as many as are alike. */
export const NO_LIMIT: number;
/** What each of the totals is, and its unit. */
export const totalQuantities: Record<string, [string, string]>;
/** Of what is swapped. [B/s] */
export const HOST_LINK_BYTES_PER_S: number;
/** How a trace is read: what each column takes and its words, what is said to what is none. */
export const trace_file: {
  columns: Record<"arrival_s" | "prompt" | "output", [low: number, high: number, allowed: string]>,
  encodings: Record<string, string>,
  longest_line: number, blanks: string, quoted: string,
  other_separators: string,
  says: Record<"column" | "comma" | "quote" | "long" | "field" | "order" | "empty", string>,
};
export const policies: Record<"static" | "continuous" | "chunked" | "disaggregated", number>;
export const allocators: Record<"contiguous" | "paged", number>;
export const preemptions: Record<"recompute" | "swap", number>;
export const lengths: Record<"fixed" | "lognormal" | "bimodal", number>;

export function costs(inputs: State): Costs;
export function arrays<Name extends string>(record: Name[], n: number): Record<Name, Float64Array>;
/** Cache of a sequence, on each GPU. [B] */
export function cache_bytes(costs: Costs, length: number): number;
export function source(seed: number): Source;
export function draw(mix: Mix, source: Source, requests: Requests, n: number): void;
export function replay(
  rules: Rules, costs: Costs, requests: Requests, longest_run: number,
): Replay;
/** Time that the first `n` passes of a run take. */
export function passed_s(first_s: number, last_s: number, n_passes: number, n: number): number;
/** Passes of a run that have ended after some time. */
export function passes_within(
  first_s: number, last_s: number, n_passes: number, within_s: number,
): number;
export function n_good(
  finished: Finished, n: number, ttft_limit_s: number, tpot_limit_s: number,
): number;
