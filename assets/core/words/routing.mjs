// Easy requests to a cheap model, in words.
import {amount, percent, times} from "./format.mjs";
/** @import {Asked, Point, Routing} from "../explorer/routing.mjs" */

/** What stands along the axes. */
export const axes = "share answered worse over share sent to the cheap model";

/**
 * @param {Routing} found
 * @param {Asked} asked
 */
export function sentence({point, saved, band, fails}, asked) {
  const now = `${percent(point.cheap)} go to the cheap model: ${saved > 0 ? `${percent(saved)} of the cost is saved` : "nothing is saved"}, and up to ${percent(point.worse)} are answered worse.`;
  return `${now} ${safe(band, fails, asked)}`;
}

/**
 * @param {Routing["band"]} band
 * @param {Routing["fails"]} fails
 * @param {Asked} asked
 */
function safe(band, fails, {worse, saved, easy}) {
  if (fails === "price") return `No threshold is safe: with all at the cheap model less than ${percent(saved)} would be saved.`;
  if (!band) return `No threshold is safe: where ${percent(saved)} is saved more than ${percent(worse)} are answered worse. ${easy < 0.5 ? "Most requests are hard: routing brings little." : "A better judge makes room."}`;
  return `Thresholds that send ${percent(band.least)} to ${percent(band.most)} there are safe: a laxer one spoils more than ${percent(worse)}, a stricter one saves less than ${percent(saved)}.`;
}

/**
 * @param {Routing} found
 * @param {number} cheap [USD]
 * @param {number} strong [USD]
 * @returns {[what: string, amount: string, note: string][]}
 */
export function rows({usd, saved, point, band}, cheap, strong) {
  return [
    ["A request, strong model alone", amount(strong, "USD"), "as in Request & cost"],
    ["A request at the cheap model", amount(cheap, "USD"), strong > 0 ? `${percent(cheap / strong)} of that` : ""],
    ["A request, routed", amount(usd, "USD"), `${saved > 0 ? `${times(strong / usd)} cheaper` : "no cheaper"}; the judge is not counted`],
    ["Answered worse", percent(point.worse), "hard requests that the cheap model gets"],
    ["Safe", band ? `${percent(band.least)} to ${percent(band.most)}` : "none", "to the cheap model"],
  ];
}

/**
 * The legend.
 * @param {Asked} asked
 */
export function legend({worse, saved}) {
  return {judge: "this judge, along its threshold", guess: "a coin, and one that never errs", limits: `${percent(worse)} worse, ${percent(saved)} saved`};
}

/**
 * What is read off where so many go to the cheap model.
 * @param {number} cheap
 * @param {number} worse
 * @param {number} saving share of a request's cost that the cheap model saves
 */
export function lines(cheap, worse, saving) {
  return [`${percent(cheap)} to the cheap model`, `${percent(worse)} answered worse`, `${cheap * saving > 0 ? percent(cheap * saving) : "nothing"} saved`];
}

/**
 * @param {Point[]} points
 * @param {number} saving
 */
export function table(points, saving) {
  return [
    ["to the cheap model", "answered worse", "saved"],
    ...points.filter((_, i) => i % 4 === 0 || i === points.length - 1)
      .map(({cheap, worse}) => [percent(cheap), percent(worse), cheap * saving > 0 ? percent(cheap * saving) : "nothing"]),
  ];
}

/** What is said where the cheap model does not go or does not fit here. @param {string} name */
export function missing(name) { return `${name} does not fit on these GPUs at this batch and context: nothing to route to.`; }
