// Models of the reader's own: the text of a config.json is the name of one, once it has been read.
import data from "../built/data.mjs";
import {choices} from "../built/presets.mjs";

/** Why texts are no models. @type {Map<string, string>} */
const refused = new Map();

/** Texts of families that are not known. @type {Set<string>} */
const guessed = new Set();

/** Whether a value is meant as the text of a config.json. @param {unknown} value @returns {value is string} */
export function isConfig(value) {
  return typeof value === "string" && value.startsWith("{");
}

/** Whether a value is the text of one that has been read. @param {unknown} value */
export function isLearned(value) {
  return isConfig(value) && Object.hasOwn(choices.model, value);
}

/** Why a text that is meant as one is none; "" of any other. @param {unknown} value */
export function whyNot(value) {
  return isConfig(value) ? refused.get(value) ?? "" : "";
}

/** Whether the counts of a state's model are partly a guess. @param {{model: string}} state */
export function isGuessed({model}) {
  return guessed.has(model);
}

/** What reads config files: it comes when it is asked for. */
export function reader() {
  return import("./config/own.mjs");
}

/**
 * Read those of some values that are meant as a config.json and have not been read: only then are they names.
 * @param {unknown[]} values
 */
export async function learn(values) {
  const texts = values.filter(isConfig).filter(text => !isLearned(text) && !refused.has(text));
  if (!texts.length) return;
  const own = await reader().then(module => module.own, () => null);
  if (!own) return;
  for (const text of texts) {
    const {model, name, isGuess, wrong} = own(text);
    if (wrong) {
      refused.set(text, wrong);
      continue;
    }
    choices.model[text] = model;
    data.names.model[text] = isGuess ? `${name} (partly a guess)` : name;
    if (isGuess) guessed.add(text);
  }
}

/** A value as it stands in a list with commas: the text of a config.json has some of its own. @param {string} text */
export function written(text) {
  return isConfig(text) ? encodeURIComponent(text) : text;
}

/** The text of a config.json that was written so, or undefined. @param {string} text */
export function configIn(text) {
  if (!text.startsWith("%7B")) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Read the models that an address names, beside its own that of what is pinned. @param {string} search */
export function learnFrom(search) {
  const asked = new URLSearchParams(search), pinned = /(?:^|,)model:([^,]*)/.exec(asked.get("a") ?? "");
  return learn([asked.get("model"), pinned && configIn(pinned[1])]);
}
