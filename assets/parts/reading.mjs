// Reading a chart by pointing, touching and arrow keys. Where an input lies along its axis, the
// point that stands at the input's value can be dragged, and is a slider like the one in the form.
//
// HTML, not Bokeh's hover and crosshair: these repaint the figure, 16 ms of the main thread at each
// move of the mouse against 5 ms here; they have no keys, and a finger on them cannot scroll.
import {stops} from "../core/rules.mjs";
import {element} from "./dom.mjs";

/** So near to a point is on it: a finger's width. [px] */
const GRIP = 24;

const STEPS = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 2, PageDown: -2};

export class Reading {
  /**
   * @param {HTMLElement} root of the chart
   * @param plot
   * @param chart what can be read: an axis of values, what stands `at` one, the input if it is one,
   *   and a word on its point
   * @param store
   */
  constructor(root, plot, {key, label, hint, axis, at}, store) {
    this.root = root.querySelector(".reading");
    this.plot = plot;
    this.key = key;
    this.axis = axis;
    this.at = at;
    this.hint = hint;
    this.store = store;
    this.place = axis.find(value => value >= 1) ?? axis[0];   // where keys have led, without an input
    this.read = null;         // the value that is read off
    this.isDragging = false;  // whether a pointer has the point
    this.away = false;        // whether Escape has put away what is read
    this.isLocked = false;
    this.root.setAttribute("role", "slider");
    this.root.setAttribute("aria-label", label);
    this.root.setAttribute("aria-valuemin", axis[0]);
    this.root.setAttribute("aria-valuemax", axis.at(-1));
    this.root.tabIndex = 0;
    for (const kind of ["pointermove", "pointerdown", "pointerup", "pointercancel", "pointerleave", "keydown", "focus", "blur"]) {
      this.root.addEventListener(kind, event => this[kind](event));
    }
  }

  lock(keys) {
    this.isLocked = keys.includes("all") || keys.includes(this.key);
    this.root.setAttribute("aria-readonly", String(this.isLocked || !this.key));
  }

  /** The value of the slider that this is. */
  get value() {
    return this.key && !this.isLocked ? this.store.state[this.key] : this.place;
  }

  /** After each drawing: what is read off may have changed under the pointer. */
  show() {
    if (this.isDragging || (this.hasFocus && !this.away)) this.read = this.value;
    this.draw();
    // Nobody hears it while another control moves.
    if (!this.store.moving || this.hasFocus) this.tell();
  }

  tell() {
    const {x, lines} = this.at(this.value, this.store.report);
    this.root.setAttribute("aria-valuenow", x);
    this.root.setAttribute("aria-valuetext", lines.join(", "));
  }

  draw() {
    if (this.read === null) return void this.root.replaceChildren();
    const {x, marks, lines} = this.at(this.read, this.store.report);
    const at = this.plot.share("x", x), heights = marks.map(([y]) => this.plot.share("y", y));
    const card = element("ul", ...lines.map(text => element("li", text)));
    if (this.root.classList.contains("grip") && !this.isDragging) {
      card.append(element("li", this.hint));
      card.lastChild.className = "hint";
    }
    card.classList.toggle("left", at > 0.5);
    card.classList.toggle("low", Math.max(...heights) > 0.6);
    const dots = marks.map(([, token], i) => {
      const dot = element("i");
      dot.style.setProperty("--height", heights[i]);
      dot.style.setProperty("--colour", `var(--${token})`);
      return dot;
    });
    this.root.style.setProperty("--at", at);
    this.root.replaceChildren(element("b"), ...dots, card);
  }

  point(value) {
    this.read = value;
    this.draw();
  }

  get hasFocus() {
    return this.root.matches(":focus-visible");
  }

  // Pointers

  under({clientX, clientY}) {
    const {left, top, width, height} = this.root.getBoundingClientRect();
    const at = Math.min(Math.max((clientX - left) / width, 0), 1);
    const near = this.key && !this.isLocked && this.plot.marks.some(([x, y]) =>
      Math.hypot(left + x * width - clientX, top + (1 - y) * height - clientY) < GRIP);
    return {value: Number(this.plot.value("x", at).toPrecision(2)), near};
  }

  pointermove(event) {
    // Hidden under the pointer, as by a key on its tab, the point is let go; or that was not told.
    const isLost = !(event.buttons & 1) || !this.root.checkVisibility();
    if (this.isDragging && isLost) return void this.pointercancel();
    const {value, near} = this.under(event);
    if (this.isDragging) return void this.move(nearest(this.stops, value));
    this.root.classList.toggle("grip", near);
    this.point(value);
  }

  pointerdown(event) {
    const {value, near} = this.under(event);
    if (!near || event.button !== 0) return void this.point(value);
    this.store.settle();   // a press begins a new move
    this.root.setPointerCapture(event.pointerId);
    this.isDragging = true;
    this.point(this.value);
  }

  pointerup() {
    this.isDragging = false;
  }

  /** The page scrolls, or the chart is gone. */
  pointercancel() {
    this.isDragging = false;
    this.point(null);
  }

  pointerleave({pointerType}) {
    // What a finger has read stays to be read.
    if (pointerType === "mouse" && !this.isDragging) this.point(this.hasFocus ? this.value : null);
  }

  // Keys

  keydown(event) {
    const {key} = event, last = this.stops.length - 1;
    this.away = key === "Escape";
    if (this.away) return void this.point(null);
    const step = STEPS[key], ends = {Home: 0, End: last};
    if (!step && !(key in ends)) return;
    event.preventDefault();   // the page does not scroll
    const now = this.stops.indexOf(nearest(this.stops, this.value));
    const to = ends[key] ?? Math.min(Math.max(now + step, 0), last);
    this.move(this.stops[to]);
  }

  focus() {
    this.away = false;
    if (this.hasFocus) this.point(this.value);
  }

  blur() {
    this.point(null);
  }

  get stops() {
    return this.key ? stops(this.key, this.store.report) : this.axis;
  }

  move(value) {
    if (value === this.value) return;
    if (this.key && !this.isLocked) return void this.store.move(this.key, value);
    this.place = value;
    this.point(value);
    this.tell();
  }
}

function nearest(stops, value) {
  const distance = stop => Math.abs(Math.log(stop / value));
  return stops.reduce((best, stop) => distance(stop) < distance(best) ? stop : best);
}
