// A slider over stops: Material's, and all that is known of its insides on this side.
//
// A drag is read off its rail in the frame of the move itself: Material's handle learns of it
// through React, a frame later, and the numbers shall not wait for that.
import {stops as stopsOf} from "../../core/rules.mjs";
import {spoken} from "../../core/words.mjs";

export function slider(root, {key, store, set}) {
  let widget = null;
  let worded = [];     // the stops that the widget has the words of
  let showing = false;
  let held = null;     // while a pointer leads, until the widget has caught up

  const stops = () => stopsOf(key, store.report);

  function tell(changes) {
    showing = true;
    widget.setv(changes);
    showing = false;
  }

  /** The widget's own change, by key or after a drag. */
  function changed() {
    // Material still follows a pointer on a slider that was hidden under it.
    if (showing || root.hidden) return;
    if (held) return void catchUp();
    // A late change speaks of the stops that it showed: they may be others by now.
    const value = worded[widget.value];
    if (stops().includes(value)) set(value);
    else show(store);
  }

  function show({state}) {
    if (!widget || held) return;
    const now = stops(), value = state[key], index = nearest(now, value), changes = {};
    if (worded !== now) {
      worded = now;
      changes.options = now.map(stop => spoken(key, stop));
    }
    if (widget.value !== index) changes.value = index;
    // Between two stops the value has words of its own.
    const words = now[index] === value ? null : spoken(key, value);
    if (widget.value_label !== words) changes.value_label = words;
    if (Object.keys(changes).length) tell(changes);
  }

  function press(event) {
    const rail = event.composedPath().find(each => each.classList?.contains("MuiSlider-root"));
    if (!rail || event.button !== 0 || !widget) return;
    // Before Material hears of it: what was typed beside the slider counts before the press.
    root.querySelector("[data-exact]")?.blur();
    end();
    free();
    const {value} = widget;
    held = {rail, pointer: event.pointerId, index: value, given: value, since: 0, down: new AbortController()};
    // One text for the whole drag: a new one at each stop would render the slider twice a move.
    widget.setv({value_label: "moving"});
    const listening = {capture: true, signal: held.down.signal};
    addEventListener("pointermove", move, listening);
    for (const kind of ["mousemove", "touchmove"]) addEventListener(kind, hinder, listening);
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, release, listening);
    follow(event);
    if (held) ready();   // Material gets every press
  }

  function move(event) {
    if (event.pointerId !== held.pointer) return;
    // Without its button this move comes after an end that was not told, as in a menu.
    if (event.buttons & 1) follow(event);
    else end();
  }

  function follow(event) {
    const {left, width} = held.rail.getBoundingClientRect();
    // Hidden or locked under the pointer, it is let go.
    if (!width || held.rail.classList.contains("Mui-disabled")) return end();
    const now = stops(), last = now.length - 1;
    const index = Math.min(Math.max(Math.round((event.clientX - left) / width * last), 0), last);
    if (held.index === index) return;
    held.index = index;
    set(now[index]);
  }

  function release(event) {
    if (event.pointerId === held.pointer) end();
  }

  /** While Material is behind it gets no moves. */
  function hinder(event) {
    if (!ready()) event.stopImmediatePropagation();
  }

  /** Whether Material has shown the last move it was given, or has had its time. */
  function ready() {
    const now = performance.now();
    if (widget.value !== held.given && now - held.since < 50) return false;
    [held.given, held.since] = [held.index, now];
    return true;
  }

  function end() {
    if (!held || held.down.signal.aborted) return;
    held.down.abort();
    // Whatever the widget makes of the rest, after that time it speaks for itself again.
    setTimeout(drag => { if (held === drag) free(); }, 200, held);
    catchUp();
  }

  /** A widget that has shown all it was given speaks for itself again. */
  function catchUp() {
    if (held.down.signal.aborted && widget.value === held.given) free();
  }

  function free() {
    if (!held) return;
    held = null;
    show(store);
  }

  root.addEventListener("pointerdown", press, true);

  return {
    show,
    lock(locked) {
      widget?.setv({disabled: locked});
    },
    connect(model) {
      widget = model;
      widget.properties.value.change.connect(changed);
      show(store);
    },
    /** Tell the widget its value once more: one that was not mounted yet did not hear it. */
    resync() {
      showing = true;
      widget.properties.value.change.emit();
      showing = false;
    },
    /** Let it draw itself once more as it is. */
    repeat() {
      tell({value_label: widget.value_label ? null : spoken(key, store.state[key])});
    },
  };
}

function nearest(stops, value) {
  return stops.reduce((best, stop, i) =>
    Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best, 0);
}
