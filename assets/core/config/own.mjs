// A model of the reader's own: its config.json as a text that is short enough for an address, and what is in it.
import {block_forms, defaults, lists, most_bytes, most_characters, not_json, stored, too_long} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {addedIn} from "./account.mjs";
import {FORMS} from "./fields.mjs";
import {parsed} from "./json.mjs";
import {readConfig} from "./read.mjs";
import {ConfigError, isPart} from "./values.mjs";
/**
 * @import {Reading} from "./read.mjs"
 * @import {Part} from "./values.mjs"
 */

export {ConfigError, most_bytes, readConfig};

/** What a model is called in its file. */
const NAME = "_name_or_path";

/** Where a file says what its model is. */
const TYPE = "model_type";

/**
 * What a text in an address, a message or a command stands for: a model's numbers, its name and whether they are
 * partly a guess; or what is wrong with it.
 * @param {string} text
 * @returns {{model: Record<string, number>, name: string, isGuess: boolean, wrong: string}}
 */
export function own(text) {
  const none = {model: {}, name: "", isGuess: false};
  if ([...text].length > most_characters) return {...none, wrong: too_long};
  try {
    const reading = readConfig(text);
    return {model: reading.model, name: nameOf(reading), isGuess: reading.guesses.length > 0, wrong: ""};
  } catch (error) {
    // What exactly is wrong with JSON each language says in its own words.
    const {message} = /** @type {Error} */ (error);
    if (error instanceof ConfigError) return {...none, wrong: message.startsWith(not_json) ? not_json : message.replace(/\.$/, "")};
    throw error;
  }
}

/**
 * What a model is called: by its file, or by its family.
 * @param {Reading} reading
 */
export function nameOf({config: {whole, part}, numbers}) {
  const stated = [part[NAME], whole[NAME]].find(each => typeof each === "string" && each.trim());
  return stated ? shortened(stated.trim().replace(/^.*[/\\](?=.)/, "")) : usualName(numbers);
}

/** @param {import("./read.mjs").Numbers} numbers */
function usualName({words: {family}}) {
  return `Own ${family === "missing" ? "model" : family}`;
}

/**
 * The shortest config.json that says the same: fields that count and are not what the family has anyway.
 * @param {Reading} reading
 * @param {string} name what the model is to be called
 */
export function compact(reading, name) {
  const {config, numbers, used} = reading;
  /** @type {Part} */
  const short = Object.create(null);
  const type = TYPE in config.part ? config.part[TYPE] : config.whole[TYPE];
  if (typeof type === "string") short[TYPE] = type;
  if (name !== usualName(numbers)) short[NAME] = name;
  const isUsed = new Set(used);
  for (const [key, form] of Object.entries(FORMS)) {
    const path = numbers.own.at[key];
    const usual = numbers.ofClass[key] ?? defaults.Fields[key];
    if (!path || !isUsed.has(path)) continue;
    if (numbers.own.values[key] === usual && !Array.isArray(valueAt(reading, path))) continue;
    const place = form.outside ? form.names.find(name => path.endsWith(name)) ?? path : inner(config.path, path);
    // Of what is there or not, the sizes inside say that it is, where they are counted.
    if (form.holds !== "presence") put(short, place, valueAt(reading, path));
    else if (![...isUsed].some(each => each.startsWith(`${path}.`))) put(short, place, true);
  }
  for (const name of Object.values(numbers.nulls)) short[name] = null;
  for (const path of numbers.paths) put(short, inner(config.path, path), valueAt(reading, path));
  if (lists.BLOCKS in short) short[lists.BLOCKS] = short[lists.BLOCKS].map(block);
  for (const each of addedIn(config, isUsed)) short[each] = true;
  return JSON.stringify(Object.assign(short, formatsIn(config)));
}

/** What a file says of number formats, the last of each as it counts. @param {import("./read.mjs").Config} config */
function formatsIn({around, part}) {
  const {QUANTIZATIONS, DTYPES, WIDE_DTYPES, EXPERT_DTYPE} = stored;
  const isTold = (/** @type {any} */ value) => typeof value === "string" && !WIDE_DTYPES.includes(value.replace("torch.", ""));
  const entries = [...around.map(([, outer]) => outer), part].flatMap(each => Object.entries(each).filter(([name, value]) =>
    (QUANTIZATIONS.includes(name) && isPart(value)) || (DTYPES.includes(name) && isTold(value))));
  const [quantization] = entries.filter(([name]) => QUANTIZATIONS.includes(name)).slice(-1);
  const types = entries.filter(([name]) => DTYPES.includes(name)).slice(-1);
  const experts = typeof part[EXPERT_DTYPE] === "string" ? [[EXPERT_DTYPE, part[EXPERT_DTYPE]]] : [];
  return Object.fromEntries([...quantization ? [quantization] : [], ...types, ...experts]);
}

/** @param {string} place @param {string} path */
function inner(place, path) {
  return path.startsWith(place) ? path.slice(place.length) : path;
}

/** What stands at a path of a file. @param {Reading} reading @param {string} path */
function valueAt({config}, path) {
  if (!path.startsWith(config.path)) return path.split(".").reduce((part, name) => part?.[name], config.whole);
  return inner(config.path, path).split(".").reduce((part, name) => part?.[name], config.part);
}

/** @param {Part} part @param {string} path @param {any} value */
function put(part, path, value) {
  const names = path.split("."), last = /** @type {string} */ (names.pop());
  for (const name of names) part = part[name] ??= Object.create(null);
  part[last] = value;
}

/** A block with what counts of it. @param {Part} stated */
function block(stated) {
  const names = Object.values(block_forms).flatMap(form => form.names ?? []);
  /** @type {Part} */
  const short = Object.fromEntries(lists.PARTS.map(part => [part, {}]));
  for (const [outer, name] of names.map(each => each.split("."))) {
    const value = stated[outer][name] ?? null;
    if (value !== null && value !== false) short[outer][name] = value;
  }
  return short;
}

/**
 * What stands in a text, by path: numbers, words and switches, and lists; without the names.
 * @param {string} text
 * @returns {[path: string, value: any][]}
 */
export function leaves(text) {
  /** @param {Part} part @param {string} path @returns {[string, any][]} */
  const within = (part, path) => Object.entries(part).flatMap(([name, value]) =>
    isPart(value) ? within(value, `${path}${name}.`) : [/** @type {[string, any]} */ ([path + name, value])]);
  return within(parsed(text), "")
    .filter(([path]) => path !== NAME && !stored.QUANTIZATIONS.includes(path.split(".")[0]));
}

/**
 * A text with another value at a path.
 * @param {string} text
 * @param {string} path
 * @param {any} value
 */
export function edited(text, path, value) {
  const whole = parsed(text);
  put(whole, path, value);
  return JSON.stringify(whole);
}
