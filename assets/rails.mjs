// A drag, read off the slider's rail in the frame of the move itself: Material's handle learns
// of it through React, a frame later, and the numbers shall not wait for that.

/** The number of the stop at which a pointer stands on a rail. */
function stopAt(rail, x, stops) {
  const {left, width} = rail.getBoundingClientRect();
  const last = stops.length - 1;
  return Math.min(Math.max(Math.round((x - left) / width * last), 0), last);
}

/**
 * Follow a pointer that is pressed on one of the sliders.
 * @param stopsOf gives the stops of a control
 * @param hold called with (key), when a slider is pressed
 * @param move called with (key, index), when the pointer has come to another stop
 * @param release called with (key), when it is let go
 */
export function followPointers({stopsOf, hold, move, release}) {
  const form = document.querySelector(".controls");
  let held = null;

  function follow(event) {
    const index = stopAt(held.rail, event.clientX, stopsOf(held.key));
    move(held.key, index);
  }

  form.addEventListener("pointerdown", event => {
    const rail = event.composedPath().find(each => each.classList?.contains("MuiSlider-root"));
    if (!rail || rail.classList.contains("Mui-disabled") || event.button !== 0 || held) return;
    held = {rail, key: event.target.closest("[data-control]").dataset.control, pointer: event.pointerId};
    hold(held.key);
    follow(event);
  });
  addEventListener("pointermove", event => {
    if (held?.pointer === event.pointerId) follow(event);
  }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, event => {
      if (held?.pointer !== event.pointerId) return;
      const {key} = held;
      held = null;
      release(key);
    }, true);
  }
}
