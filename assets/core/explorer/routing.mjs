// Easy requests to a cheap model: `calc.studies.routing`, for the page, and its curve along the threshold.
import {
  cheap_fraction, easy_error_at, error_odds, most_hard_error, routed_usd, worse_fraction,
} from "../../built/explorer.mjs";
import {complaint} from "../complaint.mjs";
import {consistent} from "../rules.mjs";
/**
 * @import {State} from "../../built/data.mjs"
 * @import {Report} from "../../built/arithmetic.mjs"
 * @typedef {object} Asked what is asked of routing, all shares from 0 to 1
 * @property {number} easy
 * @property {number} easyError of the judge, with easy requests
 * @property {number} hardError with hard ones
 * @property {number} worse that may be answered worse
 * @property {number} saved of the cost, at least
 * @typedef {object} Point a threshold
 * @property {number} cheap share that goes to the cheap model
 * @property {number} worse share that is answered worse
 * @typedef {object} Routing
 * @property {Point} point of the judge as it is
 * @property {number} usd of a request
 * @property {number} saved share of the cost
 * @property {{least: number, most: number} | null} band of shares to the cheap model that are safe
 * @property {"" | "price" | "judge"} fails why none is
 */

/** Errors with hard requests along the threshold, close together at both ends. */
const ERRORS = [0, ...Array.from({length: 57}, (_, i) => 1 / (1 + Math.exp(7 - i / 4))), 1];

/**
 * What a request costs at the cheap model: a share of what it costs here, or a preset's own cost on the
 * same GPUs at the same batch. NaN where it does not go there, or does not fit.
 * @param {State} state
 * @param {Report} report
 * @param {string} model "priced", or a preset
 * @param {number} share
 */
export function cheapUsd(state, report, model, share) {
  if (model === "priced") return share * report.request_usd;
  const there = consistent({...state, model});
  return there.report.fits && !complaint(there.state, []) ? there.report.request_usd : NaN;
}

/**
 * @param {Asked} asked
 * @param {number} hardError
 * @param {number} easyError
 * @returns {Point}
 */
function pointAt({easy}, hardError, easyError) {
  return {cheap: cheap_fraction(easy, easyError, hardError), worse: worse_fraction(easy, hardError)};
}

/**
 * What a price saves of another, as a share of that: of what is free, nothing.
 * @param {number} usd
 * @param {number} of
 */
export function savedOf(usd, of) { return of > 0 ? 1 - usd / of : 0; }

/**
 * @param {Asked} asked
 * @param {number} cheap what a request costs there [USD]
 * @param {number} strong here [USD]
 * @returns {Routing}
 */
export function routing(asked, cheap, strong) {
  const {easy, easyError, hardError, worse, saved} = asked;
  const point = pointAt(asked, hardError, easyError), usd = routed_usd(point.cheap, cheap, strong), saving = savedOf(cheap, strong);
  const found = {point, usd, saved: savedOf(usd, strong)};
  if (saving <= 0 || saved > saving) return {...found, band: null, fails: "price"};
  const most = most_hard_error(easy, worse), highest = pointAt(asked, most, easy_error_at(most, error_odds(easyError, hardError))).cheap;
  const least = saved / saving;
  return least > highest ? {...found, band: null, fails: "judge"} : {...found, band: {least, most: highest}, fails: ""};
}

/**
 * What is spoilt along the threshold, from none at the cheap model to all.
 * @param {Asked} asked
 * @returns {Point[]}
 */
export function curve(asked) {
  const odds = error_odds(asked.easyError, asked.hardError);
  return ERRORS.map(error => pointAt(asked, error, easy_error_at(error, odds)));
}

/**
 * What is spoilt where so many go to the cheap model: between the points of a curve.
 * @param {Point[]} points
 * @param {number} cheap
 */
export function worseAt(points, cheap) {
  const i = Math.max(1, points.findIndex(each => each.cheap >= cheap)), [a, b] = [points[i - 1], points[i]];
  return b.cheap > a.cheap ? a.worse + (b.worse - a.worse) * (cheap - a.cheap) / (b.cheap - a.cheap) : b.worse;
}
