// The page's state with its report, the move that led there, and the states before it. Whoever
// shows it listens: "change" after a change, "settle" once a move is over.
import {complaint} from "./complaint.mjs";
import {lockComplaint, silentIn, unlocked} from "./locks.mjs";
import {SHARING, companions, consistent, presetKeys} from "./rules.mjs";
/**
 * @import {Key, State} from "../built/data.mjs"
 * @typedef {{state: State, home: State, past: State[], silent?: string[]}} Place a state, where Reset and Undo lead from it, and what had no say where the reader was put
 */

/** A move is over when nothing has changed for so long. [ms] */
const PAUSE = 700;

/** So many states are kept to go back to. */
const MOST_PAST = 50;

export class Store extends EventTarget {
  #pause = 0;
  #asked;
  /** @type {State[]} */
  #past = [];
  /** @type {string[]} inputs that had no say where the reader was put */
  #silent;
  /** @type {string[]} inputs that are not the reader's to change */
  lock = [];

  /**
   * @param {State} state to begin with
   * @param {State} home where a reset leads
   */
  constructor(state, home) {
    super();
    const wrong = complaint(state, []) ?? complaint(home, []);
    if (wrong) throw new Error(wrong.sentence);
    this.#asked = state;         // as it was asked for, whatever had to give way
    const first = consistent(state);
    this.home = home;
    this.state = first.state;
    this.report = first.report;
    this.#silent = silentIn([], first, first);
    this.before = first;         // where the last move began
    this.moved = "";             // its input, or "set", "reset", "undo"; none if the state came from elsewhere
  }

  /** Whether a move is going on. */
  get moving() { return this.#pause !== 0; }

  /**
   * A reader's own change of one input, the next of a move or the first; gives what is wrong.
   * @param {string} key
   * @param {number | string} value
   */
  move(key, value) {
    // What gave way to a value of this input comes back where another leaves it room.
    const base = this.moved === key ? this.#asked : this.state;
    const inputs = {...unlocked(companions(key, value), this.lock), [key]: value}, next = {...base, ...inputs};
    const wrong = this.#wrong(inputs, base) || this.lockComplaint(next);
    if (wrong) {
      this.#tell("change");   // the control is to show the state again
      return wrong;
    }
    const more = this.#pause && this.moved === key;
    const past = more ? this.#past : this.#remembered(consistent(next).state);
    if (!more) this.#begin(key);
    this.#take(next, past, PAUSE);
    return "";
  }

  /**
   * Some inputs at once, from a message: exactly these, or nothing; gives what is wrong.
   * @param {Partial<State>} inputs
   */
  set(inputs) {
    return this.#wrong(inputs, this.state, SHARING) || this.open({...this.state, ...inputs}, "set");
  }

  /**
   * The reader is put into another state; gives what is wrong, and then nothing changes.
   * @param {State} state
   * @param {string} [moved] what kind of move that is, if it is one
   */
  open(state, moved = "") {
    const before = {state: this.state, report: this.report};
    const wrong = this.#go(state, moved, this.#remembered(state));
    if (!wrong) this.#silent = silentIn(this.#silent, before, this);
    return wrong;
  }

  /** What is locked and a reader would change by going to a state, in a sentence; or "". @param {State} state */
  lockComplaint(state) {
    return this.lock.length ? lockComplaint(this, state, this.lock, this.#silent) : "";
  }

  /** A reader's own move to exactly this state; likewise. @param {State} state @param {string} moved */
  choose(state, moved) {
    const wrong = this.lockComplaint(state) || this.#go(state, moved, this.#remembered(state));
    if (!wrong) this.settle();
    return wrong;
  }

  /**
   * A reader goes to another state; what is not theirs to change stays. Gives what is in the way.
   * @param {State} state
   * @param {string} moved
   */
  goTo(state, moved) {
    return this.#back(state, moved, next => this.#remembered(next));
  }

  /** Back to where it began; likewise. */
  reset() {
    return this.goTo(this.home, "reset");
  }

  /** Back to the state before the last move, or before whatever else led here; likewise. */
  undo() {
    const state = this.#past.at(-1);
    return state ? this.#back(state, "undo", () => this.#past.slice(0, -1)) : "";
  }

  /** Whether there is something to undo. */
  get undoable() { return this.#past.length > 0; }

  /** Where the reader is, to come back to. @returns {Place} */
  get place() {
    return {state: this.state, home: this.home, past: this.#past, silent: this.#silent};
  }

  /** Go on from another place. @param {Place} place */
  resume({state, home, past, silent}) {
    this.home = home;
    this.#begin("");
    this.#take(state, past);
    this.#silent = silent ?? silentIn([], this, this);
  }

  /** End a move, if there is one: the next change begins another. */
  settle() {
    if (!this.#pause) return;
    clearTimeout(this.#pause);
    this.#pause = 0;
    this.#tell("settle");
  }

  /** @param {string} moved */
  #begin(moved) {
    this.before = {state: this.state, report: this.report};
    this.moved = moved;
  }

  /** @param {Partial<State>} inputs @param {State} base what they change @param {Key[]} [given] as they are */
  #wrong(inputs, base, given = []) {
    const next = {...base, ...inputs}, keys = /** @type {Key[]} */ (Object.keys(inputs));
    // A state that a message brought may be set again, here or in another page, with all that is in it: a
    // whole one has values, too, for what its model and card have their own of.
    const own = presetKeys(next), exempt = keys.length === Object.keys(next).length ? own : [];
    const had = presetKeys(this.state), isLost = (/** @type {Key} */ key) => own.includes(key) && !had.includes(key);
    const changes = keys.filter(key => (!Object.is(inputs[key], this.state[key]) || isLost(key)) && !exempt.includes(key));
    return complaint(next, [...changes, ...given])?.sentence ?? "";
  }

  /**
   * A reader goes back to a state; what is not theirs to change stays.
   * @param {State} state
   * @param {string} moved
   * @param {(next: State) => State[]} past
   */
  #back(state, moved, past) {
    const next = {...this.state, ...unlocked(state, this.lock)};
    // Without what stays, nothing would be in the way.
    if (complaint(next, []) || this.lockComplaint(next)) return this.lockComplaint(state);
    return this.#go(next, moved, past(next));
  }

  /** The states to go back to from the next one, where that is another. @param {State} next */
  #remembered(next) {
    const other = /** @type {Key[]} */ (Object.keys(next)).some(key => !Object.is(next[key], this.state[key]));
    return other ? [...this.#past, this.state].slice(-MOST_PAST) : this.#past;
  }

  /** @param {State} state @param {string} moved @param {State[]} past */
  #go(state, moved, past) {
    const wrong = complaint(state, []);
    if (wrong) return wrong.sentence;
    this.#begin(moved);
    this.#take(state, past);
    return "";
  }

  /**
   * @param {State} state
   * @param {State[]} past
   * @param {number} [pause] until it is settled
   */
  #take(state, past, pause = 0) {
    this.#asked = state;
    ({state: this.state, report: this.report} = consistent(state));
    this.#past = past;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.settle(), pause);
    this.#tell("change");
  }

  /** @param {string} what */
  #tell(what) {
    this.dispatchEvent(new Event(what));
  }
}
