// Tokens per second over batch: all users, one user, where the controls stand, what does not fit.
import data from "../../built/data.mjs";
import {evaluate} from "../../built/arithmetic.mjs";
import {count, number} from "../../core/format.mjs";

const [LOW, HIGH] = data.inputs.batch.range;
const STOPS = data.controls.batch.stops;
const TICKS = [1, 4, 16, 64, 256, 1024];

/** Where the curves are evaluated: two points per doubling of the batch. */
const STEPS = 2 * Math.round(Math.log2(HIGH / LOW));
const CURVE = Array.from({length: STEPS + 1}, (_, i) => LOW * (HIGH / LOW) ** (i / STEPS));

export const legend = {
  total: ["line-total", (state, r) => `all users together ${number(r.tokens_per_s)} tokens/s`],
  user: ["line-user", (state, r) => `one user ${number(r.tokens_per_s_per_user)} tokens/s`],
  wall: ["beyond", (state, r) => {
    if (r.max_batch >= HIGH) return "";
    return r.max_batch < 1 ? "not even one sequence fits" : `does not fit beyond ${count(r.max_batch)}`;
  }],
};

export function draw(plot, state, r) {
  const curve = CURVE.map(batch => evaluate({...state, batch}));
  const total = curve.map(each => each.tokens_per_s);
  const user = curve.map(each => each.tokens_per_s_per_user);
  const ticks = decades([...total, ...user]);
  plot.axes({x: TICKS, y: ticks, range: {x: [LOW, HIGH], y: [ticks[0], ticks.at(-1)]}});
  plot.wall(Math.max(r.max_batch, 1));
  plot.lines(
    [CURVE, total, "total", "solid", 2.5],
    [CURVE, user, "user", "7 4", 2.5],
  );
  plot.points(
    [r.batch, r.tokens_per_s, "total", ""],
    [r.batch, r.tokens_per_s_per_user, "user", ""],
  );
}

export function table(state) {
  const rows = STOPS.map(batch => {
    const r = evaluate({...state, batch});
    return [count(batch), number(r.tokens_per_s), number(r.tokens_per_s_per_user), r.fits ? "yes" : "no"];
  });
  return [["batch", "all users, tokens/s", "one user, tokens/s", "fits"], ...rows];
}

/** Powers of ten around some positive values, for a log axis that moves in steps. */
function decades(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return Array.from({length: high - low + 1}, (_, i) => Number(`1e${low + i}`));
}
