// The page's state with its report, and the move that led there. Whoever shows it listens:
// "change" after a change, "settle" once a move is over.
import data from "../built/data.mjs";
import {complaint, consistent, isOwnModel} from "./rules.mjs";
/** @import {Key, State} from "../built/data.mjs" */

/** A move is over when nothing has changed for so long. [ms] */
const PAUSE = 700;

export class Store extends EventTarget {
  #pause = 0;

  /**
   * @param {State} state that is asked for at first
   * @param {State} home where a reset leads
   */
  constructor(state, home) {
    super();
    const wrong = complaint(state, []) ?? complaint(home, []);
    if (wrong) throw new Error(wrong.said);
    const first = consistent(state);
    this.home = home;
    this.state = first.state;
    this.report = first.report;
    this.before = this.#now();   // where the last move began
    this.moved = "";             // its input, or "set", "reset"; none if the state came from elsewhere
  }

  /** Whether a move is going on. */
  get moving() {
    return this.#pause !== 0;
  }

  /**
   * A reader's own change of one input, the next of a move or the first; gives what is wrong.
   * @param {string} key
   * @param {number | string} value
   */
  move(key, value) {
    const wrong = this.#wrong({[key]: value});
    if (wrong) {
      this.#tell("change");   // the control is to show the state again
      return wrong;
    }
    if (!this.#pause || this.moved !== key) this.#begin(key);
    this.#take({...this.state, [key]: value}, PAUSE);
    return "";
  }

  /**
   * Some inputs at once, from a message or a thing to try: all, or none; gives what is wrong.
   * @param {Partial<State>} inputs
   */
  set(inputs) {
    return this.#wrong(inputs) || this.open({...this.state, ...inputs}, "set");
  }

  /**
   * Another state as a whole; gives what is wrong, and then nothing changes.
   * @param {State} state
   * @param {string} [moved] what kind of move that is, if it is one
   */
  open(state, moved = "") {
    const wrong = complaint(state, []);
    if (wrong) return wrong.said;
    this.#begin(moved);
    this.#take(state);
    return "";
  }

  /**
   * Back to where it began, but for the inputs that are not the reader's to change, where they go
   * together with the rest.
   * @param {Key[]} kept
   */
  reset(kept = []) {
    const values = Object.fromEntries(kept.map(key => [key, this.state[key]]));
    if (this.open({...this.home, ...values}, "reset")) this.open(this.home, "reset");
  }

  /** End a move, if there is one: the next change begins another. */
  settle() {
    if (!this.#pause) return;
    clearTimeout(this.#pause);
    this.#pause = 0;
    this.#tell("settle");
  }

  #now() { return {state: this.state, report: this.report}; }

  /** @param {string} moved */
  #begin(moved) {
    this.before = this.#now();
    this.moved = moved;
  }

  /** @param {Partial<State>} inputs */
  #wrong(inputs) {
    const next = {...this.state, ...inputs}, keys = /** @type {Key[]} */ (Object.keys(inputs));
    // A state that was told may be set again, here or in another page, with all that is in it: a
    // whole one has values, too, for what its model has its own of.
    const told = keys.length === Object.keys(next).length && !isOwnModel(next) ? data.model_keys : [];
    const given = keys.filter(key => !Object.is(inputs[key], this.state[key]) && !told.includes(key));
    return complaint(next, given)?.said ?? "";
  }

  /**
   * @param {State} state
   * @param {number} [pause] until it is settled
   */
  #take(state, pause = 0) {
    ({state: this.state, report: this.report} = consistent(state));
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.settle(), pause);
    this.#tell("change");
  }

  /** @param {string} what */
  #tell(what) {
    this.dispatchEvent(new Event(what));
  }
}
