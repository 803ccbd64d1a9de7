// A state to take away: as Python, as a command, as JSON and CSV that hold what those print.
import {reported} from "../../built/explorer.mjs";
import {csvOf} from "../csv.mjs";
import {curve} from "../curves.mjs";
import {given} from "../scenario_text.mjs";
/**
 * @import {Key, State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 */

/** What Python prints of it, a line each. */
const PRINTED = ["tokens_per_s", "tokens_per_s_per_user", "ttft_s", "max_batch"];

/**
 * A program that computes the same numbers and prints some.
 * @param {State} state
 */
export function python(state) {
  const words = given(state).map(([key, text]) => `${key}=${typeof state[/** @type {Key} */ (key)] === "number" ? text : JSON.stringify(text)}`);
  return [
    "from calc import evaluate, scenario",
    "",
    `report = evaluate(scenario(${words.join(", ")}))`,
    `for name in (${PRINTED.map(name => JSON.stringify(name)).join(", ")}):`,
    "    print(name, float(getattr(report, name)))",
  ].join("\n");
}

/**
 * The command that prints every quantity.
 * @param {State} state
 */
export function command(state) {
  return ["decode-arithmetic report", ...given(state).map(([key, text]) => quoted(`${key}=${text}`))].join(" ");
}

/** A word as shells take it: in quotes where it holds what means something to them. @param {string} word */
function quoted(word) {
  return /[^\w.,:/+=%-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;
}

/** @param {Report} report @returns {[name: string, value: any][]} */
function columns(report) {
  return reported.map(name => [name, /** @type {any} */ (report)[name]]);
}

/**
 * Every quantity by name, as `report --json` prints them.
 * @param {Report} report
 */
export function json(report) {
  return `${JSON.stringify(Object.fromEntries(columns(report)), null, 1)}\n`;
}

/**
 * The same at each stop of the batch, a row each.
 * @param {Report} report
 */
export function csv(report) {
  const rows = curve("batch", report).map(each => [each.batch, ...columns(each).map(([, value]) => value)]);
  return csvOf([["batch", ...reported], ...rows]);
}
