// What the build writes into config.mjs: how a config.json is read, traced from calc/hf_config, and its tables.
type Numbers = Record<string, number>;

/** How a file states a number; `calc.hf_config.fields.Form` says what each part means. */
export type Form = {
  names: string[], holds: "count" | "number" | "switch" | "presence" | "places" | "word", label: string,
  low: number, high: number, when: string, mention: string, against: Record<string, string>, silent: number,
  stand_in: string, sentence: string, words: [off: string, on: string], outside: boolean, around: boolean,
  by_layer: boolean, meanings: Numbers,
};

/** Lists that say the same thing of each layer. */
export type Row = {lists: string[], counts: string[], cached: string[]};

/** Numbers of a family, what its class has, names that count in it alone; or why it is none that is counted. */
export type FamilyRow = {family?: Numbers, fields?: Numbers, names?: string[], refusal?: string};

export function derive(fields: Numbers, layers: Numbers, blocks: Numbers, family: Numbers): Record<
  "fields" | "holds" | "architecture" | "beside", Numbers>;
export function with_block(total: Numbers, block: Numbers, d_model: number, n_heads: number): Numbers;
export function model(a: Numbers): Numbers;
export function projection_sizes(a: Numbers): Numbers;

/** What a form has where it says nothing. */
export const usual_form: Form;
export const forms: Record<string, Partial<Form>>, block_forms: Record<string, Partial<Form>>;
export const remarks: Record<string, {kind: "problem" | "derived" | "guess", text: string}>;
export const families: Record<string, FamilyRow>, unknown: FamilyRow;

/** What each record holds where nothing is stated. */
export const defaults: Record<"Fields" | "Block" | "Layers" | "Blocks" | "Family", Numbers>;
export const rows: Record<string, Row>;

/** Of each number of a model what it is called, and its lowest and highest value. */
export const bounds: Record<string, [label: string, low: number, high: number]>;

/** Words in names of fields, and limits, by their names in calc/hf_config/fields.py. */
export const words: {
  NO_SIZE: string[], SPEAKING: string[], SILENCING: string[], SIZED: string[], SWITCHES: string[],
  BESIDE_SWITCHED: string[], LEFT_OUT: string[], ADDED: string[], ADDING: string[][],
  SWITCHED: Record<string, string>, LEAST_SIZE: number, LARGEST_COUNT: number, WRAPPERS: string[], MISSING: string,
};

/** Lists with an entry per layer, by their names in calc/hf_config/layers.py. */
export const lists: {
  MOST_LAYERS: number, MOST_TEXT: number, ENTRIES: Record<string, Record<string, string>>, MAYBE_A_NUMBER: string[],
  MAYBE_A_TEXT: string[], REPEATED: string, MAYBE_EMPTY: string, AN_OBJECT: string,
  BY_LAYER: Record<string, [full: string, window: string]>, LEAST: string[], RATIOS: string, RATIO_LENGTHS: Numbers, BLOCKS: string, PARTS: string[],
};

type Stored = [format: string, bytes_per_weight: number, label: string];

/** What is known of formats and of modules' names, by its names in calc/hf_config: rules, modules, patterns, precision. */
export const stored: {
  FORMATS: Numbers, WORDS: Record<string, string>, LISTS: string[], KNOWN: string[], WIDE: Stored, MXFP8: Stored,
  BLOCKS: Record<string, string>, MIXER: string, NAMES_ONLY: string[],
  PROJECTIONS: [part: string, size: string, names: string][], LABELS: Record<string, string>, STAYING: string[],
  TABLES: Record<string, string>, PARTS: [words: string, part: string][], OTHERS: string,
  MOST_RUNS: number, LONGEST_NAME: number, MOST_NAMES: number,
  LONGEST_PATTERN: number, MOST_STATES: number, MOST_REPEATS: number,
  QUANTIZATIONS: string[], DTYPES: string[], WIDE_DTYPES: string[], EXPERT_DTYPE: string, SAME: number, MOST_TOLD: number,
};

export const encoder_decoder: string, most_bytes: number;

/** How long the text of an own model may be, and what is said where it is longer, or no JSON. */
export const most_characters: number, too_long: string, not_json: string;
