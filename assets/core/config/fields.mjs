// The numbers that a config.json states, one by one: as calc/hf_config/numbers.py takes them, by the same tables.
import {block_forms, forms, lists, usual_form, words} from "../../built/config.mjs";
import {isPart, isSomething, quoted, same, whole} from "./values.mjs";
/**
 * @import {Form} from "../../built/config.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {{own: string, form: Form, names: [name: string, outer: string, inner: string][]}} Line
 */

/** @param {Record<string, Partial<Form>>} table @returns {Record<string, Form>} */
function filled(table) {
  return Object.fromEntries(Object.entries(table).map(([own, form]) => [own, {...usual_form, ...form}]));
}

export const FORMS = filled(forms), BLOCK_FORMS = filled(block_forms);

/** Forms, and the names in a config: whole, and cut at the dot. @param {Record<string, Form>} table @returns {Line[]} */
function cut(table) {
  return Object.entries(table).map(([own, form]) => ({own, form, names: form.names.map(name => {
    const [outer, ...inner] = name.split(".");
    return [name, outer, inner.join(".")];
  })}));
}

const NAMES = cut(FORMS);
export const BLOCK_NAMES = cut(BLOCK_FORMS);

/** By own name: the number, where it stands, why it cannot be one, its list, and where one stands outside. */
export class Own {
  /** @type {Record<string, number>} */
  values = {};
  /** @type {Record<string, string>} */
  at = {};
  /** @type {Record<string, string>} */
  wrong = {};
  /** @type {Record<string, any[]>} */
  lists = {};
  /** @type {Record<string, string>} */
  outside = {};
}

/**
 * Add the fields that a part of a config states.
 * @param {Own} own
 * @param {Part} part
 * @param {string} path
 * @param {Line[]} [table]
 */
export function take(own, part, path, table = NAMES) {
  for (const {own: key, form, names} of table) {
    const members = names.flatMap(([name, outer, inner]) => {
      const found = outer in part ? valueOf(part[outer], inner) : null;
      const isText = typeof found === "string" && lists.MAYBE_A_TEXT.includes(name);
      return found === null || isText ? [] : [{name, found}];
    });
    if (!members.length) continue;
    const [{name, found}] = members;
    own.at[key] = path + name;
    if (form.holds === "presence") own.values[key] = isSomething(found) ? 1 : 0;
    else if (form.holds === "word") {
      const word = typeof found === "string" ? found.toLowerCase() : "";
      if (Object.hasOwn(form.meanings, word)) own.values[key] = form.meanings[word];
    } else takeNumber(own, key, form, members, path);
  }
}

/**
 * @param {Own} own
 * @param {string} key
 * @param {Form} form
 * @param {{name: string, found: any}[]} members
 * @param {string} path
 */
function takeNumber(own, key, form, members, path) {
  const [{name, found}] = members;
  const stated = form.holds === "places" && typeof found === "string" ? places(found) : found;
  if (Array.isArray(stated)) own.lists[key] = stated;
  const [value, problem] = single(key, stated, form);
  own.values[key] = problem ? 1 : Number(value);
  const other = members.slice(1).find(each => !agrees(each.found, value, found));
  if (problem) own.wrong[key] = `${path}${name} must be ${problem}, not ${quoted(found)}.`;
  else if (other) {
    own.wrong[key] = `${path}${name} is ${quoted(value)}, but ${path}${other.name} is ${quoted(other.found)}.`;
  }
}

/**
 * Add what may stand around the language model; of the rest nothing else must be said there.
 * @param {Own} own
 * @param {string} inner path of the language model
 * @param {Part} part
 * @param {string} outer its path
 */
export function takeAround(own, inner, part, outer) {
  const around = new Own();
  take(around, part, outer);
  for (const [key, path] of Object.entries(around.at)) {
    const form = FORMS[key], value = around.values[key] ?? 0;
    if (key in own.at) {
      const isOther = own.values[key] !== value;
      const isSame = own.at[key] === inner + path.slice(outer.length);
      if (isOther && !form.around && (isSame || value > Math.max(form.silent, 1))) {
        own.wrong[key] ??= `${own.at[key]} and ${path} are not the same.`;
      }
    } else if (form.outside) {
      own.at[key] = path;
      own.values[key] = value;
      if (key in around.wrong) own.wrong[key] = around.wrong[key];
    } else if (value > form.silent) {
      own.wrong[key] = `${path} stands outside of ${inner.replace(/\.$/, "")}.`;
      own.outside[key] = path;
    }
  }
}

/**
 * A member's value, or what stands under a name inside of it; null if nothing does.
 * @param {any} value
 * @param {string} inner
 */
function valueOf(value, inner) {
  const found = inner ? (isPart(value) ? value[inner] ?? null : null) : value;
  return found === "auto" ? null : found;
}

/** A text with layers' numbers. @param {string} text */
function places(text) {
  return text.slice(0, lists.MOST_TEXT).split(",").map(each => (/^\d{1,9}$/.test(each) ? Number(each) : each));
}

/**
 * The one value that a list stands for too, and what it must be instead if it cannot be.
 * @param {string} key
 * @param {any} value
 * @param {Form} form
 * @returns {[value: any, problem: string]}
 */
function single(key, value, form) {
  if (form.holds === "places") {
    const are = Array.isArray(value) && value.every(each => Number.isInteger(each) && each >= 0 && each < lists.MOST_LAYERS);
    return are && new Set(value).size === value.length && value.length <= lists.MOST_LAYERS
      ? [value.length, ""] : [value, "a list of layers' numbers"];
  }
  if (!Array.isArray(value) || !value.length) return [value, problemOf(value, form)];
  if (value.every(each => same(each, value[0]))) return [value[0], problemOf(value[0], form)];
  if (!form.by_layer) return [value, "the same in every layer"];
  const problem = value.map(each => problemOf(each, form)).find(Boolean);
  if (problem) return [value, `${problem} in every layer`];
  const most = lists.LEAST.includes(key) ? (/** @type {number} */ a, /** @type {number} */ b) => Math.min(a, b)
    : (/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b);
  return [value.reduce(most), ""];
}

/**
 * Whether another name's value is the one that counts, or a layer's where they differ.
 * @param {any} other
 * @param {any} value
 * @param {any} first
 */
function agrees(other, value, first) {
  if (Array.isArray(other)) return other.some(each => same(each, value));
  return same(other, value) || (Array.isArray(first) && first.some(each => same(each, other)));
}

/**
 * What a value that cannot be must be instead; else nothing.
 * @param {any} value
 * @param {Form} form
 */
function problemOf(value, form) {
  if (form.holds === "switch") return typeof value === "boolean" ? "" : "true or false";
  if (typeof value !== "number") return "a number";
  if (form.holds === "number") return value >= 0 && value <= words.LARGEST_COUNT ? "" : "a positive number";
  if (!Number.isInteger(value)) return "a whole number";
  return value >= form.low && value <= form.high ? "" : `between ${form.low} and ${whole(form.high, true)}`;
}
