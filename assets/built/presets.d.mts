// What the build writes into presets.mjs: the records that choices stand for, by their names.
export const choices: Record<string, Record<string, Record<string, number>>>;
