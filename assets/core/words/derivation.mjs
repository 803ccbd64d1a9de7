// How a number comes about: its formula, then those of what it is made of, down to what can be set.
import {quantities} from "../../built/arithmetic.mjs";
import {written} from "../../built/formulas.mjs";
import {speculates} from "../speculation.mjs";
import {amount} from "./format.mjs";
import * as pieces from "./formula.mjs";
import {quantityOf} from "./readouts.mjs";
/** @import {Report} from "../../built/arithmetic.mjs" */

export const formulas = written(pieces);

/**
 * Without speculation the cycle is one plain step: these simpler formulas are shown.
 * @type {Record<string, string>}
 */
const PLAIN = {
  tokens_per_s: "plain_tokens_per_s",
  tokens_per_s_per_user: "plain_tokens_per_s_per_user",
};

/**
 * What stands beneath a number and has a formula, too: where it lies from the ridge.
 * @type {Record<string, string[]>}
 */
const BENEATH = {
  ttft_s: ["prefill_flops_per_byte", "prefill_times_from_ridge"],
  decode_flops_per_byte: ["decode_times_from_ridge"],
  verify_flops_per_byte: ["verify_times_from_ridge"],
};

/**
 * The formulas of a number in symbols and in values, and the quantities in them that have none.
 * @param {string} number a readout, or a quantity
 * @param {Report} report
 * @returns {{steps: {name: string, symbols: string, readonly values: string, readonly result: string}[], givens: string[]}}
 */
export function derivation(number, report) {
  /** @param {string} name */
  const valueText = name => amount(/** @type {any} */ (report)[name], quantities[name][1]);
  const first = (!speculates(report) && PLAIN[number]) || quantityOf(number, report);
  const names = new Set([first, ...(BENEATH[first] ?? [])]);
  const steps = [], givens = [];
  // What a formula names joins the end of those that are walked through.
  for (const name of names) {
    const formula = formulas[name];
    if (!formula) {
      givens.push(name);
      continue;
    }
    const symbols = formula(report, each => {
      names.add(each);
      return quantities[each][2];
    });
    steps.push({
      name,
      symbols,
      // Put together where it is shown: a move shows only what is in sight.
      get values() { return formula(report, valueText); },
      get result() { return valueText(name); },
    });
  }
  return {steps, givens};
}
