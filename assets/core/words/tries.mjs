// Things to try before anything was moved: each a few inputs, set at once.
import {complaint} from "../rules.mjs";
/** @import {Key, State} from "../../built/data.mjs" */

/** @type {Record<string, Partial<State>>} */
const TRIES = {
  "32K tokens without GQA": {context: 32768, gqa: 1},
  "64 readers": {batch: 64},
  "4-bit weights": {weights: "int4"},
};

/**
 * What can be tried in a state: all that changes something and that its model allows.
 * @param {State} state
 * @param {string[]} locked inputs that are not the reader's to change
 */
export function tries(state, locked) {
  return Object.entries(TRIES).filter(([, inputs]) => {
    const keys = /** @type {Key[]} */ (Object.keys(inputs));
    return keys.some(key => state[key] !== inputs[key])
      && !keys.some(key => locked.includes(key))
      && !complaint({...state, ...inputs}, keys);
  });
}
