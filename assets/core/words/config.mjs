// What is said of a model that is read from a config.json.
import {attention} from "./attention.mjs";
import {count, number} from "./format.mjs";
/** @import {Reading} from "../config/read.mjs" */

/** What stands there before anything is read. */
export const INVITATION = "A model of your own: paste its config.json. It is read in this page and sent nowhere; "
  + "what was used, derived and assumed stands below it, and how sure the counts are.";

/** What is said where the reader of config files cannot be fetched. */
export const UNREACHED = "What reads config files did not come. Try again when you are online, or reload the page.";

/** What is said of a file that is too large to be looked at. @param {number} most bytes */
export const tooLarge = most => `The file is larger than ${most / 2 ** 20} MiB, as no config.json is.`;

/** A model's size and kind, and how sure that is. @param {string} name @param {Reading} reading */
export function sentence(name, {model, guesses, weights, kv}) {
  const {n_params, n_active} = model;
  const active = n_active < n_params ? `, ${number(n_active)} of them for each token` : "";
  const sure = guesses.length ? "Partly a guess: see below." : "Every tensor of its family is known.";
  const formats = [weights && `weights in ${weights}`, kv && `a cache in ${kv}`].filter(Boolean).join(" and ");
  return `${name}: ${n_params.toLocaleString("en-US")} parameters${active}. ${attention(/** @type {any} */ (model))}. ${
    formats && `The file states ${formats}. `}${sure}`;
}

/** A value as its field shows it, and whether it can be typed there. @param {any} value */
export function shown(value) {
  if (Array.isArray(value)) return {text: `a list of ${count(value.length)}`, isFixed: true};
  return {text: String(value), isFixed: false};
}

/** The value that was typed, of the kind that was there. @param {string} text @param {any} before */
export function typed(text, before) {
  const plain = text.trim();
  if (typeof before === "boolean" && /^(true|false)$/.test(plain)) return plain === "true";
  // No text is no number.
  return typeof before === "number" && plain && !isNaN(Number(plain)) ? Number(plain) : plain;
}
