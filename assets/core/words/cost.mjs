// What a request takes and costs, in words.
import {month_usd} from "../../built/explorer.mjs";
import {savings} from "../explorer/savings.mjs";
import {amount, count, inputText, number, percent} from "./format.mjs";
import {capitalised, listed, many} from "./phrases.mjs";
/** @import {Report} from "../../built/arithmetic.mjs" */

const THOUSAND = 1000;

/**
 * @param {Report} r
 * @param {number} rate requests [1/s]
 * @param {number} inHost share of the cached prefix that lies in host memory
 * @returns {[what: string, amount: string, note: string][]}
 */
export function rows(r, rate, inHost) {
  const usd = (/** @type {number} */ value) => amount(value, "USD");
  const load_s = inHost * r.host_load_s;
  return [
    ["First token", amount(r.ttft_s + load_s, "s"), `${firstToken(r, load_s)}prefill of ${many(r.computed_prompt_len, "token")}`],
    ["Each next token", amount(r.request_tpot_s, "s"), `with ${amount(r.mean_context_len, "tokens")} in cache on average`],
    ["The whole request", amount(r.request_s + load_s, "s"), `${amount(r.ttft_s + load_s, "s")} to the first token${r.output_len > 1 ? `, then ${count(r.output_len - 1)} more` : ""}; it never waits`],
    ["Prefill’s share of the GPUs’ time", percent(r.prefill_fraction), "a batch shares its steps, each prefill is its own"],
    ["Output served", amount(r.served_tokens_per_s, "tokens/s"), `and ${amount(r.served_input_tokens_per_s, "tokens/s")} of prompts, all users together`],
    ["A million tokens out", usd(r.usd_per_million_output_tokens), "they carry their prompts: not to be added to the next line"],
    ["A million tokens in", usd(r.usd_per_million_input_tokens), "they carry their answers"],
    ["Tokens out per dollar", r.usd_per_hour_in_all === 0 ? "as many as you like" : number(r.output_tokens_per_usd), `at ${amount(r.usd_per_hour_in_all, "USD/h")} for ${many(r.n_gpus, "GPU")}`],
    ["One request", usd(r.request_usd), `its prefill and ${many(r.output_len, "step")}: a step is charged for its first token, too`],
    ["A thousand requests", usd(r.request_usd * THOUSAND), ""],
    ["A month of them", usd(month_usd(r.request_usd, rate)), `${inputText(rate)} a second for 30 days, GPUs never idle`],
  ];
}

/** A change that saves less of the price is none that a reader would make for it. */
const LITTLE = 0.05;

/**
 * What comes before prefill: the cached prefix, as much as lies in host memory.
 * @param {Report} r
 * @param {number} load_s
 */
function firstToken(r, load_s) {
  if (load_s > 0) return `${amount(load_s, "s")} to load the cached prefix from host memory, then `;
  return r.host_load_s > 0 ? `the cached prefix lies in HBM: from host memory it takes ${amount(r.host_load_s, "s")} more; ` : "";
}

/**
 * What the GPUs spend their time on, and what that makes of single changes: what each saves.
 * @param {Report} r
 */
export function sentence(r) {
  const isPrefill = r.prefill_fraction > 0.5, all = savings(r);
  const saves = all.filter(({share}) => share >= LITTLE);
  const helps = saves.filter(({report}) => report.fits || !r.fits), over = saves.filter(each => !helps.includes(each));
  const little = all.filter(({share}) => Math.abs(share) < LITTLE), costs = all.filter(({share}) => share <= -LITTLE);
  return [
    `Of the time that ${r.n_gpus === 1 ? "the GPU spends" : "the GPUs spend"} on a request, ${percent(isPrefill ? r.prefill_fraction : 1 - r.prefill_fraction)} is ${isPrefill ? "prefill" : "decode"}.`,
    helps.length ? `Its price falls by ${listed(helps.map(({name, share}) => `${percent(share)} with ${name}`))}.` : "",
    ...over.map(({name, share}) => `${capitalised(name)} would save ${percent(share)}, but does not fit.`),
    little.length ? `${helps.length ? "It" : "Its price"} changes by less than ${percent(LITTLE)} with ${listed(little.map(({name}) => name))}.` : "",
    costs.length ? `It rises with ${listed(costs.map(({name}) => name))}.` : "",
  ].filter(Boolean).join(" ");
}
