// A state as a message has it: a plain object, with null for what is not given.
import data from "../built/data.mjs";
import {inputValue, refusal, takes} from "./rules.mjs";
/** @import {State} from "../built/data.mjs" */

/**
 * The inputs that an object from outside sets; throws a sentence, so that nothing half changes.
 * @param {any} scenario
 * @returns {Partial<State>}
 */
export function inputsFromJson(scenario) {
  if (typeof scenario !== "object" || scenario === null || Object.getPrototypeOf(scenario) !== Object.prototype) {
    throw new Error("setState needs a scenario: an object of inputs");
  }
  /** @type {Record<string, number | string>} */
  const inputs = {};
  for (const [key, json] of Object.entries(scenario)) {
    const isInput = Object.hasOwn(data.inputs, key);
    const value = isInput && typeof json === "string" ? inputValue(key, json) : json === 0 ? 0 : json;
    if (isInput && json === null && data.defaults[key] === null) inputs[key] = NaN;
    else if (isInput && takes(key, value)) inputs[key] = value;
    else throw new Error(refusal(key, json));
  }
  return inputs;
}

/**
 * A whole state for outside; what it gives can be set again.
 * @param {State} state
 */
export function stateToJson(state) {
  return Object.fromEntries(
    Object.entries(state).map(([key, value]) => [key, Number.isNaN(value) ? null : value]));
}
