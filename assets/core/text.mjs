// Texts from outside, as they can stand in a sentence.

/** What a page may act upon: controls, marks of direction, halves of pairs, ends of lines. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Characters that fit. */
const MOST = 40;

/**
 * A value from outside: one line, harmless and short. A text, a number and the like as it is,
 * anything else by its type.
 * @param {unknown} value
 */
export function shortened(value) {
  const text = /^(object|function|bigint)$/.test(typeof value) && value !== null
    ? `[${typeof value}]` : String(value);
  // Twice as many halves are enough characters: a text may be long.
  const start = [...text.slice(0, 2 * MOST + 2).replace(ACTIVE, " ")];
  return start.length > MOST ? `${start.slice(0, MOST - 1).join("")}\u2026` : start.join("");
}

/**
 * A sentence with its places filled in: of {name} the word of that name.
 * @param {string} sentence
 * @param {Record<string, any>} words
 */
export function filled(sentence, words) {
  return sentence.replace(/{(\w+)}/g, (_, name) => words[name]);
}

/**
 * What somebody may have meant, as a question with a blank behind it; "" where no name is close.
 * Names are meant that begin with what was written; if none does, those that share half of their
 * pairs of letters. Python's `suggestion` says the same.
 * @param {unknown} text
 * @param {string[]} names
 */
export function suggestion(text, names) {
  const start = shortened(text).toLowerCase(), own = pairs(start), letters = [...start].length;
  const all = names.map(name => ({name, likeness: likeness(own, pairs(name))}));
  const begun = all.filter(({name}) => letters > 1 && name.toLowerCase().startsWith(start));
  const close = (begun.length ? begun : all.filter(each => each.likeness >= 0.5))
    .sort((one, other) => other.likeness - one.likeness);
  return close.length ? `did you mean ${close.slice(0, 3).map(({name}) => name).join(" or ")}? ` : "";
}

/** @param {string} text */
function pairs(text) {
  const letters = [...text.toLowerCase()];
  return letters.slice(1).map((letter, i) => letters[i] + letter);
}

/**
 * @param {string[]} some
 * @param {string[]} other
 */
function likeness(some, other) {
  const rest = [...some];
  const shared = other.filter(pair => {
    const at = rest.indexOf(pair);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return 2 * shared.length / Math.max(1, some.length + other.length);
}
