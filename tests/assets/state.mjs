import {defaults} from "#modules/core/rules.mjs";

/** The page's defaults, and what is changed of them. */
export function state(changes = {}) {
  return {...defaults, ...changes};
}
