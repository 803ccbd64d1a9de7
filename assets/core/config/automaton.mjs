// All ways through a pattern at once, each character of a name once: what a pattern is run on.
/**
 * @typedef {(letter: string) => boolean} Test
 * @typedef {{key: string, states: number[]}} States a set of them, the same object each time
 */

/** States, what each asks of a character, and where it leads with and without one. */
export class Automaton {
  /** @type {([test: Test, target: number] | null)[]} */
  moves = [];
  /** @type {[place: string, target: number][][]} at the start or the end of a name only, or anywhere */
  free = [];
  done = 0;
  /** @type {States} */
  start = {key: "", states: []};
  /** @type {Map<string, States>} */
  #sets = new Map();
  /** @type {Map<string, States>} */
  #steps = new Map();

  /** The states after some characters of a name. @param {States} states @param {string} text */
  step(states, text) {
    for (const letter of text) {
      const key = `${states.key} ${letter}`;
      let after = this.#steps.get(key);
      if (!after) {
        const reached = states.states.flatMap(state => {
          const move = this.moves[state];
          return move && move[0](letter) ? [move[1]] : [];
        });
        after = this.closed(reached, "");
        this.#steps.set(key, after);
      }
      states = after;
    }
    return states;
  }

  /** Whether a name that began like this has the pattern, however it goes on. @param {States} states */
  isDone({states}) { return states.includes(this.done); }

  /** Whether a name that ends here has the pattern. @param {States} states */
  holds({states}) { return this.closed(states, "end").states.includes(this.done); }

  /** Whether a whole name has the pattern. @param {string} name */
  matches(name) { return this.holds(this.step(this.start, name)); }

  /** All states that are reached without another character. @param {number[]} states @param {string} place */
  closed(states, place) {
    const reached = new Set(states), open = [...states];
    while (open.length) {
      for (const [where, target] of this.free[/** @type {number} */ (open.pop())]) {
        if ((where !== "" && where !== place) || reached.has(target)) continue;
        reached.add(target);
        open.push(target);
      }
    }
    const sorted = [...reached].sort((one, other) => one - other), key = sorted.join(",");
    const set = this.#sets.get(key) ?? {key, states: sorted};
    this.#sets.set(key, set);
    return set;
  }
}
