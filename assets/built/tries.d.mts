// What the build writes into tries.mjs: exercises that the first screen offers, by these words.

declare const tries: {exercise: string, label: string}[];
export default tries;

/** The first exercise that is asked in the batching lab, or "". */
export const inTheLab: string;
