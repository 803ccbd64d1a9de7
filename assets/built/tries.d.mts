// What the build writes into tries.mjs: exercises that the first screen offers, by these words.

declare const tries: {exercise: string, label: string}[];
export default tries;
