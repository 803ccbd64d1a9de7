// A slider over stops: Material's, and all that is known of its insides on this side.
//
// Material draws it and speaks for it; pointer and keys are heard here, before Material hears of
// them. It would learn of a press through React, a frame later, and render for 2 ms at each move:
// the numbers shall not wait for that. While a pointer leads one slider, the handles of all are
// moved here, and Material is told where they ended.
import {stops as stopsOf} from "../../core/rules.mjs";
import {spoken} from "../../core/words/controls.mjs";

/** A touch is a press once it has moved so far sideways; up or down it scrolls the page. [px] */
const SLACK = 6;

/** How far a key moves, in stops. */
const STEPS = {
  ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
  PageDown: -2, PageUp: 2, Home: -Infinity, End: Infinity,
};

/** So long after it was told something, a widget's change is what it was told before, late. [ms] */
const ECHO = 1000;

export function slider(root, {key, store, set, pointer}) {
  let widget = null;
  let wordedStops = [];        // the stops that the widget has the words of
  let showing = false;
  let lastWrite = -Infinity;   // when the widget was told something
  let drag = null;             // while a pointer is down here
  let handleShare = null;      // where the handle was put, while a pointer leads one

  const stops = () => stopsOf(key, store.report);
  const part = selector => root.querySelector(".widget > *").shadowRoot.querySelector(selector);
  const railOf = event => event.composedPath().find(each => each.classList?.contains("MuiSlider-root"));

  /** The widget's own change, as by a screen reader. */
  function changed() {
    if (showing || root.hidden) return;
    // A late change speaks of the stops that it showed: they may be others by now.
    const value = wordedStops[widget.value];
    // And Panel's React writes back what it renders, when the state may be further already.
    if (stops().includes(value) && performance.now() - lastWrite > ECHO) set(value);
    else show(store);
  }

  function show({state}) {
    if (!widget) return;
    const now = stops(), value = state[key], index = nearest(now, value), changes = {};
    if (pointer.leads) return void place(index / (now.length - 1));
    handleShare = null;
    if (wordedStops !== now) {
      wordedStops = now;
      changes.options = now.map(stop => spoken(key, stop));
    }
    if (widget.value !== index) changes.value = index;
    // Between two stops the value has words of its own.
    const words = now[index] === value ? null : spoken(key, value);
    if (widget.value_label !== words) changes.value_label = words;
    if (!Object.keys(changes).length) return;
    showing = true;
    lastWrite = performance.now();
    widget.setv(changes);
    showing = false;
  }

  function press(event) {
    const rail = railOf(event);
    if (!rail || event.button !== 0 || !widget || widget.disabled) return;
    end();
    const {left, width} = rail.getBoundingClientRect();
    drag = {left, width, pointer: event.pointerId, from: event.clientX, index: widget.value, leads: false};
    root.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") lead(event);
  }

  /** From here on the handle is the pointer's. */
  function lead(event) {
    drag.leads = pointer.leads = true;
    // What was typed beside the slider counts before it moves, and keys go on from here.
    part("input").focus({preventScroll: true});
    follow(event);
  }

  function move(event) {
    if (event.pointerId !== drag?.pointer) return;
    // Without its button this move comes after an end that was not told, as in a menu.
    if (!(event.buttons & 1)) end();
    else if (drag.leads) follow(event);
    else if (Math.abs(event.clientX - drag.from) > SLACK) lead(event);
  }

  function follow(event) {
    // Hidden or locked under the pointer, it is let go.
    if (root.closest("[hidden]") || widget.disabled) return end();
    const now = stops(), last = now.length - 1;
    const share = (event.clientX - drag.left) / drag.width;
    const index = Math.min(Math.max(Math.round(share * last), 0), last);
    if (drag.index === index) return;
    drag.index = index;
    set(now[index]);
  }

  function release(event) {
    if (event.pointerId !== drag?.pointer) return;
    // A touch that did not move is a press at its place; one that scrolls the page is none.
    if (!drag.leads && event.type === "pointerup") lead(event);
    end();
  }

  function end() {
    if (drag?.leads) pointer.end();
    drag = null;
  }

  /** Put the handle and the filled part of the rail at a share of its length. */
  function place(share) {
    if (handleShare === share) return;
    handleShare = share;
    part(".MuiSlider-thumb").style.left = part(".MuiSlider-track").style.width = `${100 * share}%`;
  }

  function pressKey(event) {
    const step = STEPS[event.key];
    if (!railOf(event) || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (drag) return;
    const now = stops(), value = store.state[key];
    // From between two stops the next one is a whole step.
    const next = step > 0 ? now.findIndex(stop => stop > value) + step - 1
      : now.findLastIndex(stop => stop < value) + step + 1;
    const beyond = step > 0 ? now.at(-1) <= value : now[0] >= value;
    if (!beyond) set(now[Math.min(Math.max(next, 0), now.length - 1)]);
  }

  /** Neither a press nor a touch is Material's. */
  function keep(event) {
    if (!railOf(event)) return;
    event.stopPropagation();
    // A press selects no text and takes the focus nowhere else.
    if (event.type === "mousedown") event.preventDefault();
  }

  for (const kind of ["pointerdown", "mousedown", "touchstart"]) {
    root.addEventListener(kind, keep, {capture: true, passive: kind === "touchstart"});
  }
  root.addEventListener("pointerdown", press, true);
  root.addEventListener("pointermove", move, true);
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
    root.addEventListener(kind, release, true);
  }
  root.addEventListener("keydown", pressKey, true);

  return {
    show,
    lock(isLocked) {
      widget?.setv({disabled: isLocked});
    },
    connect(material) {
      widget = material;
      widget.properties.value.change.connect(changed);
      show(store);
    },
    /** Tell the widget its value once more: one that was not mounted yet did not hear it. */
    resync() {
      showing = true;
      widget.properties.value.change.emit();
      showing = false;
    },
  };
}

function nearest(stops, value) {
  return stops.reduce((best, stop, i) =>
    Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best, 0);
}
