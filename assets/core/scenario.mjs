// A state as a message has it: a plain object, with null for what is not given.
import data from "../built/data.mjs";
import {inputValue} from "./address.mjs";
import {shortened} from "./format.mjs";
import {refusal} from "./rules.mjs";
/** @import {State} from "../built/data.mjs" */

/**
 * The inputs that an object from outside sets; throws a sentence, so that nothing half changes.
 * @param {any} scenario
 * @returns {Partial<State>}
 */
export function inputsOf(scenario) {
  if (typeof scenario !== "object" || scenario === null || Array.isArray(scenario)) {
    throw new Error("setState needs a scenario: an object of inputs");
  }
  /** @type {Record<string, number | string>} */
  const inputs = {};
  for (const key of Object.keys(scenario).slice(0, 100)) {
    if (!Object.hasOwn(data.controls, key)) throw new Error(`${shortened(key)}: there is no such input`);
    const value = scenario[key] === null ? NaN : inputValue(key, scenario[key]);
    if (value === undefined || (scenario[key] === null && data.defaults[key] !== null)) {
      throw new Error(refusal(key, String(scenario[key])));
    }
    inputs[key] = value;
  }
  return inputs;
}

/**
 * A whole state for outside; what it gives can be set again.
 * @param {State} state
 */
export function scenarioOf(state) {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, Number.isNaN(value) ? null : value]));
}
