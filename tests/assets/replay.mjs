// Replays what it is told, and answers with a fingerprint of every number that came out.
import {createHash} from "node:crypto";
import {readFileSync} from "node:fs";
import {arrays, costs, draw, NO_LIMIT, replay, Requests, source} from "#modules/built/replay.mjs";

const fingerprint = ({outcome, requests, passes, n_runs, phases, n_phases, totals}, n) => {
  const hash = createHash("sha256");
  for (const field of Object.values(requests)) hash.update(field.subarray(0, n));
  for (const field of Object.values(passes)) hash.update(field.subarray(0, n_runs));
  for (const field of Object.values(phases)) hash.update(field.subarray(0, n_phases));
  hash.update(Float64Array.of(outcome, n_runs, n_phases, ...Object.values(totals)));
  return hash.digest("hex");
};

const given = inputs =>
  Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, value ?? NaN]));

const said = JSON.parse(readFileSync(0, "utf8")).map(({inputs, pool_bytes, rules, mix, seed, n}) => {
  const requests = arrays(Requests, n);
  draw(mix, source(seed), requests, n);
  return fingerprint(replay(rules, {...costs(given(inputs)), pool_bytes}, requests, NO_LIMIT), n);
});
console.log(JSON.stringify(said));
