// A press that is to become a click: what lies under it must not move before it is one.

/** What is clicked; a slider or a chart is led instead. */
const CLICKED = "button, a, label, summary";

export function press() {
  let isOn = false;
  const waiting = [];

  function end() {
    isOn = false;
    for (const act of waiting.splice(0)) act();
  }

  addEventListener("mousedown", event => {
    end();
    isOn = event.button === 0 && event.composedPath().some(each => each instanceof Element && each.matches(CLICKED));
  }, true);
  // Before the click, so that it meets what was done; nothing is laid out in between.
  addEventListener("mouseup", end, true);
  addEventListener("dragend", end, true);

  return {
    /** Do it now, or once a press that goes on is over. */
    after(act) {
      if (isOn) waiting.push(act);
      else act();
    },
  };
}
