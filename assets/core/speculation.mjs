// Whether tokens are guessed and verified.
/** @import {Report} from "../built/arithmetic.mjs" */

/** @param {Report} r */
export function speculates(r) { return r.n_drafted > 0; }
