// How the page is shown: the keys of the address that are no inputs. A text from outside is
// checked here, and brought into one form.
import data from "../built/data.mjs";
import {SMALLEST, TINY, parsed} from "./numbers.mjs";
import {scenarioOf, scenarioText} from "./scenario_text.mjs";
/** @import {Settings} from "../built/data.mjs" */

/**
 * The settings of an address that asks for none.
 * @type {Readonly<Settings>}
 */
export const defaultSettings = Object.fromEntries(Object.entries(data.settings)
  .map(([key, {kind, default: usual}]) => [key, kind === "list" ? [] : usual]));

/** Words with dashes between; two where a question is of a deployment. */
const ID = /^(?=.{1,80}$)[a-z0-9]+(--?[a-z0-9]+)*$/;

/**
 * A setting's value from a text, or undefined where the text is none that it takes; of a list what
 * it takes.
 * @param {string} key
 * @param {string} text
 * @param {(text: string, why: string) => void} note hears what is left out
 */
export function settingValue(key, text, note) {
  const {kind, noun, options, later} = data.settings[key];
  if (kind === "origin") {
    const origin = originOf(text);
    if (!origin) note(text, "allowed is an origin, such as https://lms.example");
    return origin;
  }
  if (kind === "id") {
    if (ID.test(text)) return text;
    note(text, `allowed is the id of an ${noun}, such as a-question`);
    return undefined;
  }
  if (kind === "number") {
    const {range: [low, high], whole, unit} = data.settings[key], value = parsed(text, unit);
    const [least, most] = [low, high].map(each => each.toLocaleString("en-US", {maximumFractionDigits: 9}));
    // Between 0 and this is nothing that anybody means.
    if (low === 0 && value > 0 && value < SMALLEST) return void note(text, TINY);
    if (value >= low && value <= high && !(whole && value % 1)) return String(value);
    note(text, `allowed is ${whole ? "a whole number" : "a number"} from ${least} to ${most}`);
    return undefined;
  }
  if (kind === "scenario") {
    const scenario = scenarioOf(text);
    if (typeof scenario !== "string") return scenarioText(scenario.state);
    note(text, `nothing is pinned as A; ${scenario}`);
    return undefined;
  }
  const names = kind === "list" ? [...new Set(text.split(",").filter(Boolean))] : [text];
  const valid = names.filter(name => options.includes(name));
  for (const name of names.filter(each => !valid.includes(each))) {
    note(name, later.includes(name) ? `this version has no such ${noun} yet` : `allowed is one of ${options.join(", ")}`);
  }
  return kind === "list" ? valid : valid[0];
}

/** @param {string} text */
function originOf(text) {
  try {
    const {protocol, origin, href} = new URL(text);
    // With a star in it, an address has no meaning of its own for messages.
    return /^https?:$/.test(protocol) && href === `${origin}/` && !origin.includes("*") ? origin : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The inputs that a reader cannot change.
 * @param {Settings} settings
 * @returns {string[]}
 */
export function lockedKeys({lock}) {
  return lock.includes("all") ? data.settings.lock.options : lock;
}
