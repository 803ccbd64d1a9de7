// What the build writes into explorer.mjs.
import type {Report} from "./arithmetic.d.mts";
import type {Key} from "./data.d.mts";

export {
  cheap_fraction, easy_error_at, error_odds, month_usd, most_hard_error, n_replicas, routed_usd, worse_fraction,
} from "../../build/modules/built/explorer.mjs";

/** A single change: an input, and by what it is multiplied, or what it becomes. */
export type Lever = {name: string, label: string, key: string, times: number, becomes: string | number | null};

export const levers: Lever[];

/** How many GPUs that share a model are tried, and the contexts of which it is said what they serve. */
export const gpu_counts: number[], contexts: number[];

/** Inputs that a sweep goes along. */
export const swept: Key[];

/** Quantities of two scenarios that stand side by side, and what each is called there. */
export const compared: Partial<Record<keyof Report & string, string>>;

/** Names of what `report --json` prints. */
export const reported: string[];
