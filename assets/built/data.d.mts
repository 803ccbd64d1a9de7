// What the build writes into data.mjs; the names of the inputs are read off it.
import type {Report} from "./arithmetic.d.mts";
import type built from "../../build/modules/built/data.mjs";

declare const data: {
  defaults: Record<string, number | string | null>;
  inputs: Record<string, Input>;
  settings: Record<string, Setting>;
  gqa_stops: Record<number, number[]>;
  names: Record<string, Record<string, string>>;
  rules: Record<string, Rule>;
  meanings: Record<string, Record<string, string>>;
  prices: Record<string, number>;
  own_models: string[];
  own_gpu: string;
  stand_ins: string[];
  assumption_keys: Key[];
  model_keys: string[];
  card_keys: string[];
  engine_spread: {slow: Partial<State>, fast: Partial<State>};
  terms: Term[];
  units: Record<string, Unit[]>;
  binary_units: Record<string, Unit[]>;
  KiB: number;
  typed_suffixes: Record<string, Record<string, number>>;
  readouts: (keyof Report & string)[];
  /** Of the lab: the mean prompt where none is given; inputs that a trace of one's own has itself, and how large
   * it may be; what is replayed at most; how each replay calls its own settings; with which others a setting says something. */
  lab: {
    usual_prompt: number, drawn: string[], most_lines: number, most_bytes: number,
    most_blocks: number, most_blocks_of_many: number,
    replays: {first: string[], second: string[]}, conditions: Record<string, {only: Values, unless: Values}>,
  };
  colours: Record<string, [light: string, dark: string]>;
};
export default data;

/** An input: a choice has options; a number has all the rest, the stops of its slider, what it sets. */
type Input = {
  label: string, allowed: string, options: string[],
  only: Values, unless: Values,
  unit: string, stops: number[], range: [low: number, high: number], whole: boolean,
  sets: string, factor: number,
};

/** Values of other inputs, null where one is open: an input says something only with some, unless with others. */
type Values = Record<string, number | string | null>;

type Setting = {
  meaning: string, kind: "option" | "list" | "id" | "origin" | "number" | "scenario", noun: string,
  default: string, options: string[], later: string[], range: [low: number, high: number], whole: boolean, unit: string,
};

/** A sentence with the names of inputs and quantities in braces; the inputs that give way. */
type Rule = {sentence: string, keys: string[]};

/** A word of the field: how it is written in running text and in labels, what it means. */
export type Term = {name: string, means: string, words: string[], labels: string[]};

/** A unit for display, its size in SI, and the value from which on it is used. */
export type Unit = [name: string, size: number, from: number];

type Inputs = typeof built.inputs;

/** An input. */
export type Key = keyof Inputs;

/** The value of every input; NaN where a number is not given. */
export type State = {[key in Key]: Inputs[key] extends {options: string[]} ? string : number};

/** How the page is shown: a value for each of its own keys. */
export type Settings = Record<string, any>;
