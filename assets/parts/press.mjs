// A press that is to become a click: what lies under it must not move before it is one.

/** What is clicked; a slider or a chart is led instead. */
const CLICKED = "button, a, label, summary";

export function press() {
  let isOn = false, isRefused = false;
  const waiting = [];

  function end() {
    isOn = false;
    isRefused = waiting.splice(0).map(act => act()).some(Boolean);
  }

  addEventListener("mousedown", event => {
    end();
    isOn = event.button === 0 && event.composedPath().some(each => each instanceof Element && each.matches(CLICKED));
  }, true);
  // Before the click, so that it meets what was done; nothing is laid out in between.
  addEventListener("mouseup", end, true);
  addEventListener("dragend", end, true);
  // What is wrong with an entry is to be read before anything else is done; a click by a key has no press.
  addEventListener("click", event => {
    if (!isRefused || !event.detail) return;
    isRefused = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  return {
    /** Do it now, or once a press that goes on is over: no click comes of that if it gives true. */
    after(act) {
      if (isOn) waiting.push(act);
      else act();
    },
  };
}
