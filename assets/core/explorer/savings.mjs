// What single changes save of a request's price.
import {singleChange} from "./single_change.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Saving a change, and what it saves of the price
 * @property {string} name as in "saves 12 % with …"
 * @property {number} share of the price; below 0 where it costs more
 * @property {Report} report after it
 */

/**
 * The changes: what each makes of an input, where something is left to change. The same GPUs at the same
 * price: hardware that is twice as fast costs no more.
 * @type {{name: (r: Report) => string, key: Key, value: (r: Report) => number, can?: (r: Report) => boolean}[]}
 */
const CHANGES = [
  {name: () => "twice the batch", key: "batch", value: r => 2 * r.batch},
  {
    name: r => r.prefix_hit > 0 ? "half of the rest of the prompt cached" : "half of the prompt cached",
    key: "prefix_hit",
    value: r => (1 + r.prefix_hit) / 2,
    can: r => r.prefix_hit < 1,
  },
  {name: () => "a prompt half as long", key: "prompt", value: r => Math.ceil(r.prompt_len / 2), can: r => r.prompt_len > 1},
  {name: () => "twice the bandwidth", key: "bandwidth_factor", value: r => 2 * r.inputs.bandwidth_factor},
  {name: () => "twice the FLOP/s", key: "peak_factor", value: r => 2 * r.inputs.peak_factor},
];

/**
 * What each change saves that can be made here, the most first.
 * @param {Report} r
 * @returns {Saving[]}
 */
export function savings(r) {
  return CHANGES.filter(({can}) => !can || can(r)).flatMap(({name, key, value}) => {
    const report = singleChange(r.inputs, key, value(r))?.report;
    // Of GPUs whose hour costs nothing, too: the price is their time.
    return report ? [{name: name(r), share: 1 - r.served_tokens_per_s / report.served_tokens_per_s, report}] : [];
  }).sort((one, other) => other.share - one.share);
}
