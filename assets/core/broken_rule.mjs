// Which rule a state breaks as it is: what a preset has of its own is left out, and was not asked for.
import {broken} from "../built/arithmetic.mjs";
/** @import {State} from "../built/data.mjs" */

/**
 * The name of the rule, or of the input whose range is left; "" where all is well.
 * @param {State} state
 */
export function brokenRule(state) {
  return broken({...state, n_own: 0, n_own_card: 0});
}
