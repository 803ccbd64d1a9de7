// A drag, read off the slider's rail in the frame of the move itself: Material's handle learns
// of it through React, a frame later, and the numbers shall not wait for that.

/** The number of the stop at which a pointer stands; none on a rail that is hidden or locked. */
function stopAt(rail, x, stops) {
  const {left, width} = rail.getBoundingClientRect();
  if (!width || rail.classList.contains("Mui-disabled")) return undefined;
  const last = stops.length - 1;
  return Math.min(Math.max(Math.round((x - left) / width * last), 0), last);
}

/**
 * Follow a pointer that is pressed on one of the sliders, as long as it is.
 * @param stopsOf gives the stops of a control
 * @param hold called with (key), when a slider is pressed
 * @param lead called with the number of a stop, at the press and at every move
 * @param ready says whether Material can take the move too: while it is behind, it gets none
 * @param release called when the pointer is let go, or lost
 */
export function followPointers({stopsOf, hold, lead, ready, release}) {
  let held = null;

  function follow(event) {
    const index = stopAt(held.rail, event.clientX, stopsOf(held.key));
    if (index === undefined) end();
    else lead(index);
  }

  function end() {
    held = null;
    release();
  }

  // Before Material hears of it: what was typed beside the slider counts before the press.
  document.querySelector(".controls").addEventListener("pointerdown", event => {
    const rail = event.composedPath().find(each => each.classList?.contains("MuiSlider-root"));
    if (!rail || event.button !== 0) return;
    if (held) end();
    held = {rail, key: event.target.closest("[data-control]").dataset.control, pointer: event.pointerId};
    hold(held.key);
    follow(event);
    if (held) ready();   // Material gets every press
  }, true);
  addEventListener("pointermove", event => {
    if (held?.pointer !== event.pointerId) return;
    // Without its button this move comes after an end that was not told, as in a menu.
    if (event.buttons & 1) follow(event);
    else end();
  }, true);
  for (const kind of ["mousemove", "touchmove"]) {
    addEventListener(kind, event => {
      if (held && !ready()) event.stopImmediatePropagation();
    }, true);
  }
  for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
    addEventListener(kind, event => {
      if (held?.pointer === event.pointerId) end();
    }, true);
  }
}
