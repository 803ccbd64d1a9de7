// Fields of a config.json that were not used and may say something: told, or a reason to refuse the file.
import {block_forms, lists, words} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {FORMS} from "./fields.mjs";
import {ConfigError, isPart, isSomething} from "./values.mjs";
/**
 * @import {Config} from "./read.mjs"
 * @import {Part} from "./values.mjs"
 */

const BLOCK_NAMES = Object.values(block_forms).flatMap(form => form.names ?? []);
const KNOWN = new Set([...words.LEFT_OUT, ...Object.values(FORMS).flatMap(form => form.names)]);

/**
 * Paths of fields that were not used and might say something about sizes.
 * @param {Config} config
 * @param {Set<string>} used
 * @param {(condition: string) => boolean} holds
 */
export function ignored(config, used, holds) {
  const paths = new Set([...used, ...BLOCK_NAMES.map(name => `${config.path}${lists.BLOCKS}.${name}`)]);
  const roots = new Set([...paths, ...[...paths].map(above), ...wrappers(config.path)]);
  /** @type {Map<string, any>} */
  const values = new Map();
  for (const [place, part] of [...config.around, /** @type {[string, Part]} */ ([config.path, config.part])]) {
    for (const [name, value] of Object.entries(part)) values.set(place + name, value);
  }
  // Inside of an object that was entered, what is null or false is not there.
  for (const [place, part] of entered(config, used)) {
    for (const [name, value] of Object.entries(part)) {
      if (value !== null && value !== false) values.set(place + name, value);
    }
  }
  return [...values].flatMap(([path, value]) => {
    if (words.NO_SIZE.includes(last(path)) || roots.has(path)) return [];
    const isInside = path.startsWith(config.path), own = isInside ? path.slice(config.path.length) : path;
    if (isInside && ((speaks(own, words.SIZED) && hasSize(value)) || (isSomething(value) && speaks(own, words.SPEAKING)))) {
      throw new ConfigError(`${shortened(path)} is not understood, and may say what layers are.`);
    }
    if (isInside && value === false && denied(own).some(holds)) {
      throw new ConfigError(`${shortened(path)} is false, but what it denies is stated.`);
    }
    return [shortened(path)];
  });
}

/** @param {string} path */
function last(path) {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** @param {string} path */
function above(path) {
  return path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
}

/** The wrappers on the way to a path. @param {string} path */
function wrappers(path) {
  const names = path.replace(/\.+$/, "").split(".");
  return names.map((_, i) => names.slice(0, i + 1).join("."));
}

/** Whether a value is a number that can be a size, or holds one. @param {any} value */
function hasSize(value) {
  const inside = [value];
  while (inside.length) {
    const each = inside.pop();
    if (typeof each === "number" && each >= words.LEAST_SIZE) return true;
    if (typeof each === "object" && each !== null) for (const one of Object.values(each)) inside.push(one);
  }
  return false;
}

/** Whether a field that is not known speaks of something. @param {string} path @param {string[]} of */
function speaks(path, of) {
  const parts = path.toLowerCase().split(/[._]/);
  return !KNOWN.has(last(path)) && parts.some(part => of.includes(part))
    && !parts.some(part => words.SILENCING.includes(part));
}

/** The conditions that a switch that is not known denies, where it is off. @param {string} path */
function denied(path) {
  const name = last(path), parts = name.toLowerCase().split("_");
  const beside = parts.filter(part => !Object.hasOwn(words.SWITCHED, part));
  const isSwitch = words.SWITCHES.includes(parts[0]) && !beside.some(part => words.SILENCING.includes(part));
  const isDenying = !KNOWN.has(name) && (isSwitch || beside.every(part => words.BESIDE_SWITCHED.includes(part)));
  return isDenying ? parts.filter(part => Object.hasOwn(words.SWITCHED, part)).map(part => words.SWITCHED[part]) : [];
}

/**
 * Objects of which a member was used, those of blocks too, and where they are.
 * @param {Config} config
 * @param {Set<string>} used
 * @returns {[string, Part][]}
 */
function entered(config, used) {
  /** @type {[string, Part][]} */
  const found = [];
  const blocks = `${config.path}${lists.BLOCKS}`;
  if (used.has(blocks)) {
    for (const block of config.part[lists.BLOCKS]) {
      found.push([`${blocks}.`, block]);
      for (const part of lists.PARTS) found.push([`${blocks}.${part}.`, block[part]]);
    }
  }
  const owns = [...used].map(path => (path.startsWith(config.path) ? path.slice(config.path.length) : path));
  const names = new Set(owns.filter(path => path.includes(".")).map(path => path.slice(0, path.indexOf("."))));
  for (const name of [...names].sort()) {
    if (isPart(config.part[name])) found.push([`${config.path}${name}.`, config.part[name]]);
  }
  return found;
}
