// What the meter says.
import {amount, count, percent, rating} from "./format.mjs";
import {many} from "./phrases.mjs";
/**
 * @import {Report} from "../../built/arithmetic.mjs"
 * @import {Texts} from "./phrases.mjs"
 */

/**
 * Its texts by the names of their places.
 * @param {Report} r
 * @returns {Texts}
 */
export function meter(r) {
  const gb = (/** @type {number} */ value) => amount(value, "B");
  const each = r.n_gpus > 1 ? " per GPU" : "";
  return {
    meter: r.fits
      ? `${gb(r.hbm_used_bytes)} of ${rating(r.hbm_limit_bytes, "B")}${each}`
      : `${gb(r.hbm_used_bytes)}${each || " asked"}, ${gb(r.hbm_over_bytes)} over`,
    room: `${percent(r.hbm_used_fraction)} · ` + (r.fits
      ? `room for ${many(r.max_batch, "sequence")}`
      : `${count(r.max_batch)} of ${count(r.batch)} sequences fit`),
    limit: r.hbm_limit_bytes < r.hbm_bytes
      ? `usable ${rating(r.hbm_limit_bytes, "B")} of ${rating(r.hbm_bytes, "B")}`
      : `memory ${rating(r.hbm_bytes, "B")}`,
    meter_weights: `weights ${gb(r.weight_bytes_per_gpu)}`,
    meter_kv: `KV cache ${gb(r.kv_bytes_per_gpu)} = ${count(r.batch_per_gpu)} × ${gb(r.kv_bytes_per_sequence_per_gpu)}`,
    meter_draft: r.draft_bytes > 0 ? `draft model ${gb(r.draft_bytes)}` : "",
    meter_reserve: r.reserved_bytes > 0
      ? `reserve ${gb(r.reserved_bytes)}` : "",
    meter_free: r.fits ? `free ${gb(r.hbm_free_bytes)}` : "nothing free",
  };
}
