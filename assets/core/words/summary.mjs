// One page about a scenario, to print: what it is and what is assumed, in words.
import data from "../../built/data.mjs";
import {compare} from "../explorer/compare.mjs";
import {given} from "../scenario_text.mjs";
import {speculates} from "../speculation.mjs";
import {named, sentence as compared, valueOf} from "./compare.mjs";
import {uncapitalised} from "./phrases.mjs";
import {scenarioBar} from "./scenario_bar.mjs";
/**
 * @import {Key} from "../../built/data.mjs"
 * @import {Moment} from "../scenario_text.mjs"
 */

/** Inputs that are told whether they differ from the defaults or not. @type {Key[]} */
const ALWAYS = ["context", "batch", "weights", "kv"];

/** Inputs that the pieces of the scenario bar speak of. */
const IN_BAR = ["model", "gpu", "gpus", "prompt", "output", "assumptions"];

/** What is said of where the figures come from. */
const SOURCES = "The arithmetic is that of docs/arithmetic.md, its errors those of docs/model.md. Each figure of a card and each size of a model has its source: the commands decode-arithmetic gpus and decode-arithmetic models print them.";

/**
 * @param {Moment} now
 * @param {Moment | null} pinned
 * @returns {[head: string, text: string][]}
 */
export function summaryRows(now, pinned) {
  const {state, report} = now, bar = scenarioBar(state, report, false);
  const others = given(state).map(([key]) => /** @type {Key} */ (key)).filter(key => ![...ALWAYS, ...IN_BAR, ...data.assumption_keys].includes(key));
  const keys = new Set([...ALWAYS, ...speculates(report) ? /** @type {Key[]} */ (["spec_k", "alpha"]) : [], ...others]);
  const workload = [...keys].map(key => `${uncapitalised(named(key))} ${valueOf(key, now)}`).join(", ");
  return [
    ["Model", bar.model],
    ["Hardware", bar.hardware],
    ["Request", bar.request],
    ["Inputs", workload],
    ["Assumptions", `${data.names.assumptions[state.assumptions].toLowerCase()}: ${bar.assumed}`],
    ...pinned ? /** @type {[string, string][]} */ ([
      ["A, to compare", scenarioBar(pinned.state, pinned.report, false).scenario],
      ["From A to B", compared(pinned, now, compare(pinned, now))],
    ]) : [],
    ["Sources", SOURCES],
  ];
}
