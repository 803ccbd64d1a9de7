// Where the terms of the field stand in a text.
import data from "../../built/data.mjs";
/**
 * @import {Term} from "../../built/data.mjs"
 * @typedef {string | {text: string, term: Term}} Piece
 */

/**
 * Finds terms by how they are written.
 * @param {(term: Term) => string[]} words
 */
function finder(words) {
  const terms = new Map(data.terms.flatMap(term => words(term).map(word => [word.toLowerCase(), term])));
  const longestFirst = [...terms.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?<![\\w-])(${longestFirst.join("|")})(?![\\w-])`, "i");
  /**
   * The text in pieces, of which some are terms; of each term, the first.
   * @param {string} text
   * @returns {Piece[]}
   */
  return text => {
    const marked = new Set();
    return text.split(pattern).map((piece, i) => {
      const term = i % 2 ? terms.get(piece.toLowerCase()) : undefined;
      if (!term || marked.has(term)) return piece;
      marked.add(term);
      return {text: piece, term};
    }).filter(Boolean);
  };
}

/** Terms in running text, and in what is a label. */
export const inText = finder(({words}) => words);
export const inLabel = finder(({words, labels}) => [...words, ...labels]);
