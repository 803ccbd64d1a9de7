// A format of the cache that is for one kind of cache only gives way where the model is another.
import data from "../built/data.mjs";
import {brokenRule} from "./broken_rule.mjs";
/** @import {State} from "../built/data.mjs" */

/**
 * A state in which the model's cache can be stored in the format: of the stand-ins, the first that goes.
 * @param {State} state
 * @returns {State}
 */
export function storable(state) {
  if (!data.stand_ins.includes(state.kv)) return state;
  const kv = /** @type {string} */ ([state.kv, ...data.stand_ins]
    .find(each => brokenRule({...state, kv: each}) !== "kv_of_latent"));
  return kv === state.kv ? state : {...state, kv};
}
