// What fills the HBM of one GPU: where each part begins and ends. [B]
/** @import {Report} from "../built/arithmetic.mjs" */

/**
 * Parts in their order, cut in two where they pass the limit; and where the scale ends, so far
 * beyond it that an overflow is seen to begin.
 * @param {Report} r
 */
export function filling(r) {
  const limit = r.hbm_limit_bytes;
  /** @type {[string, number][]} */
  const parts = [
    ["weights", r.weight_bytes_per_gpu],
    ["kv", r.kv_bytes_per_gpu],
    ["draft", r.draft_bytes],
    ["reserve", r.reserved_bytes],
    ["free", r.hbm_free_bytes],
  ];
  let to = 0;
  const pieces = parts.flatMap(([part, bytes]) => {
    const from = to;
    to += bytes;
    return [
      {part, beyond: false, from: Math.min(from, limit), to: Math.min(to, limit)},
      {part, beyond: true, from: Math.max(from, limit), to: Math.max(to, limit)},
    ];
  });
  return {
    limit,
    end: Math.max(1.2 * limit, 1.03 * r.hbm_used_bytes),
    pieces: pieces.filter(each => each.to > each.from),
  };
}
