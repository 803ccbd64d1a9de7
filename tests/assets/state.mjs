// States for the tests: the page's defaults and what is changed of them.
import data from "#modules/built/data.mjs";

/** What is not given is null in JSON, NaN in the model. */
const DEFAULTS = Object.fromEntries(
  Object.entries(data.defaults).map(([key, value]) => [key, value ?? NaN]));

export function state(changes = {}) {
  return {...DEFAULTS, ...changes};
}
