// What the build writes into formulas.mjs.
import type {Report} from "./arithmetic.d.mts";

/** The formulas as texts, in which `show` stands for each quantity that they name; of the pieces that make them. */
export const written: (pieces: object) => Record<string, (report: Report, show: (name: string) => string) => string>;
