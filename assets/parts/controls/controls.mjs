// Controls in, state out: the typed entries of the page and Panel's Material widgets.
import data from "../../built/data.mjs";
import {parsed, setting} from "../../core/format.mjs";
import {idle, stops} from "../../core/rules.mjs";
import {spoken} from "../../core/words.mjs";
import {followPointers} from "./rails.mjs";

const byKey = name => {
  const found = new Map([...document.querySelectorAll(`[data-${name}]`)]
    .map(element => [element.dataset[name], element]));
  return key => found.get(key);
};
const control = byKey("control");
const entry = /** @type {(key: string) => HTMLInputElement} */ (byKey("exact"));

function nearest(stops, value) {
  return stops.reduce((best, stop, i) =>
    Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best, 0);
}

/** Show a text in an entry, which is as wide as its text. */
function fill(input, text) {
  if (input.value !== text) input.value = text;
  fit(input);
}

function fit(input) {
  const width = `${Math.max(input.value.length, 1) + 0.3}ch`;
  if (input.style.width !== width) input.style.width = width;
}

export class Controls {
  constructor(store) {
    this.store = store;
    this.widgets = new Map();
    this.worded = new Map();   // the stops that a slider has the words of
    this.locked = new Set();
    this.typing = new Set();
    this.held = null;   // the slider that a pointer leads, until it has caught up
    followPointers({
      stopsOf: key => this.stops(key),
      hold: key => this.hold(key),
      lead: index => this.lead(index),
      ready: () => this.ready(),
      release: () => this.release(),
    });
    for (const key of data.shown) {
      const input = entry(key);
      if (!input) continue;
      input.addEventListener("change", () => this.typed(key, input));
      input.addEventListener("keydown", event => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.typed(key, input);
        input.select();
      });
      input.addEventListener("input", () => {
        this.typing.add(key);
        this.complain(key, "");
        fit(input);
      });
      input.addEventListener("focus", () => input.select());
    }
  }

  stops(key) {
    return stops(key, this.store.report);
  }

  allowed(key) {
    if (key !== "gqa") return data.controls[key].allowed;
    const stops = this.stops("gqa").map(String);
    return `a divisor of the ${this.store.report.n_heads} query heads: ${stops.slice(0, -1).join(", ")} or ${stops.at(-1)}`;
  }

  typed(key, input) {
    this.typing.delete(key);
    if (input.value === setting(this.store.state[key])) return;
    const {range: [low, high], whole, label} = data.controls[key];
    const value = parsed(input.value);
    const good = value >= low && value <= high && (!whole || Number.isInteger(value)) &&
      (key !== "gqa" || this.stops("gqa").includes(value));
    this.complain(key, good ? "" : `${label}: allowed is ${this.allowed(key)}. It stays at ${setting(this.store.state[key])}.`);
    fill(input, setting(good ? value : this.store.state[key]));
    const wrong = good && this.store.move(key, value);
    if (wrong) this.complain(key, wrong);
  }

  complain(key, message) {
    control(key).querySelector(".error").textContent = message;
    entry(key)?.setAttribute("aria-invalid", String(message !== ""));
  }

  /** Controls that show their value but cannot be moved. */
  lock(keys) {
    this.locked = new Set(keys.includes("all") ? data.shown : keys);
    for (const key of data.shown) {
      const locked = this.locked.has(key);
      if (entry(key)) entry(key).disabled = locked;
      this.widgets.get(key)?.setv({disabled: locked});
    }
    document.querySelector(".reset").hidden = this.locked.size === data.shown.length;
  }

  /** Take over Panel's widgets, once they are on the page. */
  connect(document) {
    for (const key of data.shown) {
      const widget = document.get_model_by_name(`root_${key}`).data;
      this.widgets.set(key, widget);
      widget.properties.value.change.connect(() => {
        // Material still follows a pointer on a slider that was hidden under it.
        if (this.showing || control(key).hidden) return;
        if (this.held?.key === key) return void this.catchUp();
        const {options} = data.controls[key];
        // A late event speaks of the stops that the slider showed: they may be others by now.
        const value = options ? widget.value : this.worded.get(key)[widget.value];
        if (!options && !this.stops(key).includes(value)) return void this.show();
        this.complain(key, this.store.move(key, value));
      });
    }
    this.show();
    this.lock([...this.locked]);
  }

  /** From now on the pointer says where this slider stands, not its widget. */
  hold(key) {
    entry(key).blur();   // enters what was typed
    this.free();
    const widget = this.widgets.get(key);
    this.held = {key, widget, index: widget.value, given: widget.value, since: 0, down: true};
    // One text for the whole drag: a new one at each stop would render the slider twice a move.
    widget.setv({value_label: "moving"});
  }

  lead(index) {
    const {held} = this;
    if (held.index === index) return;
    held.index = index;
    this.complain(held.key, this.store.move(held.key, this.stops(held.key)[index]));
  }

  /** Whether Material has shown the last move it was given, or has had its time. */
  ready() {
    const {held} = this, now = performance.now();
    if (held.widget.value !== held.given && now - held.since < 50) return false;
    [held.given, held.since] = [held.index, now];
    return true;
  }

  release() {
    this.held.down = false;
    this.catchUp();
    // Whatever its widget makes of the rest, after that time it speaks for itself again.
    setTimeout(held => this.held === held && this.free(), 200, this.held);
  }

  /** A widget that has shown all it was given speaks for itself again. */
  catchUp() {
    const {widget, given, down} = this.held;
    if (!down && widget.value === given) this.free();
  }

  free() {
    if (!this.held) return;
    this.held = null;
    this.show();
  }

  /** Tell every widget its value once more: one that was not mounted yet did not hear it. */
  resync() {
    this.showing = true;
    for (const widget of this.widgets.values()) widget.properties.value.change.emit();
    this.showing = false;
  }

  /** Let every slider draw itself once more as it is. */
  repeat() {
    for (const [key, widget] of this.widgets) {
      if (data.controls[key].options) continue;
      const words = widget.value_label ? null : spoken(key, this.store.state[key]);
      widget.setv({value_label: words});
    }
  }

  /** Make every control show the state. */
  show() {
    const {state, report} = this.store, hidden = idle(state, report);
    this.showing = true;
    for (const key of data.shown) {
      const input = entry(key);
      // What is being typed is left alone until it is entered.
      if (input && !this.typing.has(key)) fill(input, setting(state[key]));
      const widget = this.widgets.get(key);
      if (widget) this.showWidget(key, widget, state);
    }
    for (const key of ["params_b", "gqa", "alpha"]) control(key).hidden = hidden.includes(key);
    this.showing = false;
  }

  showWidget(key, widget, state) {
    const {options} = data.controls[key];
    if (options) {
      if (widget.value !== state[key]) widget.setv({value: state[key], active: options.indexOf(state[key])});
      return;
    }
    if (this.held?.key === key) return;
    const stops = this.stops(key);
    const changes = {};
    if (this.worded.get(key) !== stops) {
      this.worded.set(key, stops);
      changes.options = stops.map(stop => spoken(key, stop));
    }
    const index = nearest(stops, state[key]);
    if (widget.value !== index) changes.value = index;
    // Between two stops the value has words of its own.
    const words = stops[index] === state[key] ? null : spoken(key, state[key]);
    if (widget.value_label !== words) changes.value_label = words;
    if (Object.keys(changes).length) widget.setv(changes);
  }
}
