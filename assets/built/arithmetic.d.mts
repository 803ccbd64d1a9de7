// What the build writes into arithmetic.mjs; the names of the quantities are read off it.
import type {State} from "./data.d.mts";
import type {quantities as names} from "../../build/modules/built/arithmetic.mjs";

export {
  attainable_flops_per_s, blocks_per_request, group_size, reached_flops_per_s, reached_ridge_flops_per_byte,
  shares_evenly, speedup,
} from "../../build/modules/built/arithmetic.mjs";

/** What takes longest. */
export type Bound = "memory" | "compute" | "comms" | "overhead";

/** What of a report is no number. */
interface Others {
  fits: boolean, math_falls_back: boolean, bound: Bound, prefill_bound: Bound, verify_bound: Bound, inputs: State,
}

/** Every quantity of one scenario. */
export type Report = Omit<Record<keyof typeof names, number>, keyof Others> & Others;

export function evaluate(inputs: State): Report;

/** The name of the first rule that inputs break, or of an input out of its range; or "". */
export function broken(inputs: State & {n_own: number, n_own_card: number}): string;

export const quantities: Record<string, [label: string, unit: string, symbol: string]>;
