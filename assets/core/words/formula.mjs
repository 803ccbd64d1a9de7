// A formula as text, without what says nothing: "+ 0", "· 1", "÷ 1 GPU". Quantities declare at
// which value they are left out; the reserve, the draft and k = 0 do not, and are shown.

const ATOM = 9;   // binds more tightly than any operation: a name, a number, a call

/**
 * A piece of a formula: gives its text when asked, and says how tightly it binds.
 * @typedef {object} Piece
 * @property {() => string} text
 * @property {number} binds
 * @property {string} [name] of a quantity that stands alone
 * @property {boolean} [nothing] a summand that can be left out
 * @property {boolean} [one] a factor that can be left out
 * @property {boolean} [unlimited] a limit that limits nothing
 */

/**
 * @typedef {Record<string, any>} Values the report's, by name
 * @typedef {(values: Values, pieces: Record<string, Piece>) => Piece} Formula
 * @typedef {(name: string) => string} Show
 */

/**
 * @param {() => string} text
 * @param {Partial<Piece>} [is]
 * @returns {Piece}
 */
const piece = (text, binds = ATOM, is = {}) => ({text, binds, ...is});

/** @param {Piece} piece */
const bracketed = ({text, binds}, atLeast = 0) => binds < atLeast ? `(${text()})` : text();

/**
 * Two pieces and what stands between; the second in brackets where it binds no more tightly.
 * @param {string} between
 * @param {number} binds
 * @returns {(a: Piece, b: Piece) => Piece}
 */
const binary = (between, binds) => (a, b) =>
  piece(() => bracketed(a, binds) + between + bracketed(b, binds + 1), binds);

/**
 * @param {string} before
 * @param {string} after
 * @returns {(...pieces: Piece[]) => Piece}
 */
const call = (before, after) => (...pieces) =>
  piece(() => before + pieces.map(each => each.text()).join(", ") + after);

const plus = binary(" + ", 4), minus = binary(" − ", 4);
const times = binary(" · ", 5), over = binary(" / ", 5);
const smaller = call("min(", ")");

/** @type {(a: Piece, b: Piece) => Piece} */
export const add = (a, b) => b.nothing ? a : a.nothing ? b : plus(a, b);
/** @type {(a: Piece, b: Piece) => Piece} */
export const subtract = (a, b) => b.nothing ? a : minus(a, b);
/** @type {(a: Piece, b: Piece) => Piece} */
export const multiply = (a, b) =>
  ({...(b.one ? a : a.one ? b : times(a, b)), nothing: a.nothing || b.nothing});
/** @type {(a: Piece, b: Piece) => Piece} */
export const divide = (a, b) => ({...(b.one ? a : over(a, b)), nothing: a.nothing});
/** @type {(a: Piece, b: Piece) => Piece} */
export const minimum = (a, b) => b.unlimited ? a : smaller(a, b);
export const maximum = call("max(", ")");
/** @type {(a: Piece) => Piece} */
export const negative = a => piece(() => `−${bracketed(a, 6)}`, 6);
/** @type {(a: Piece, b: Piece) => Piece} */
export const power = (a, b) => piece(() => `${bracketed(a, 8)}^${bracketed(b, 8)}`, 7);
export const floor = call("⌊", "⌋");
export const ceil = call("⌈", "⌉");
export const sqrt = call("√(", ")");
export const log2 = call("log₂(", ")");
export const equal = binary(" = ", 3);
export const not_equal = binary(" ≠ ", 3);
export const less = binary(" < ", 3);
export const less_equal = binary(" ≤ ", 3);
export const greater = binary(" > ", 3);
export const greater_equal = binary(" ≥ ", 3);

/**
 * A number or a word, as it is written.
 * @param {string} text
 */
export const word = text => piece(() => text, ATOM, {nothing: text === "0"});

/**
 * The formulas of a report: by name, functions of a report's values and of a name's text.
 * @param {Record<string, Formula>} formulas by name, functions of the values and of the pieces by name
 * @param {Record<string, Formula>} steps the same of mere steps in between, which are not asked for
 * @param {Record<string, {neutral?: number, same_as?: string}>} declared what quantities declare
 * @returns {Record<string, (values: Values, show: Show) => string>}
 */
export function formulaTexts(formulas, steps, declared) {
  /**
   * The quantity that is named instead, where both are the same; never the formula's own.
   * @param {Values} q
   * @param {string} name
   * @param {string} own
   * @returns {string}
   */
  function simplest(q, name, own) {
    const other = declared[name]?.same_as;
    return other && other !== own && q[other] === q[name] ? simplest(q, other, own) : name;
  }

  /**
   * @param {Values} q
   * @param {string} name
   * @param {Show} show
   */
  function named(q, name, show) {
    const neutral = declared[name]?.neutral ?? NaN, value = q[name];
    return piece(() => show(name), ATOM, {
      name,
      // A switch is left out where it is on; off, it makes nothing of what it switches.
      nothing: value === 0 && neutral <= 1,
      one: value === 1 && neutral === 1,
      unlimited: value === neutral && neutral > 1,
    });
  }

  /**
   * @param {string} name
   * @param {Formula} write
   * @param {Values} q
   * @param {Show} show
   * @returns {string}
   */
  function text(name, write, q, show, own = name) {
    const neutral = declared[name]?.neutral;
    if (neutral !== undefined && q[name] === neutral) return String(neutral);
    const pieces = new Proxy(/** @type {Record<string, Piece>} */ ({}), {
      get: (_, each) => named(q, simplest(q, String(each), own), show),
    });
    const whole = write(q, pieces), step = whole.name ?? "";
    // A mere step, or the same under another name, says nothing alone: what that is made of does.
    if (step in steps) return text(step, steps[step], q, show, own);
    if (declared[step]?.same_as === own) return text(step, formulas[step], q, show, own);
    return whole.text();
  }

  return Object.fromEntries(Object.entries(formulas).map(([name, write]) =>
    [name, (q, show) => text(name, write, q, show)]));
}
