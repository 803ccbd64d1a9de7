// What the build writes into formulas.mjs.
import type {Report} from "./arithmetic.d.mts";

/** A formula as text, in which `show` stands for each quantity that it names. */
export const formulas: Record<string, (report: Report, show: (name: string) => string) => string>;
