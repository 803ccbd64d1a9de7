// The widget: controls, meter, readouts and charts follow the store, once per frame.
import {charts} from "../parts/charts.mjs";
import {controls} from "../parts/controls.mjs";
import {idle} from "../parts/dom.mjs";
import {formulas} from "../parts/formulas.mjs";
import {history} from "../parts/history.mjs";
import {meter} from "../parts/meter.mjs";
import {readouts} from "../parts/readouts.mjs";
import {Repaints} from "../parts/repaints.mjs";
import {sentence} from "../parts/sentence.mjs";

/** Updates that follow each other so soon are a run, also where each takes four frames. [ms] */
const RUN_MS = 150;

export function view(root, store) {
  const part = (make, name, ...rest) => make(root.querySelector(`.${name}`), ...rest);
  const form = part(controls, "controls", store), bar = part(meter, "meter");
  // Each shows what is in the store; some also `draw` it, `settle` once a move is over, `present`
  // themselves in a theme and with locks, `connect` to what is Bokeh's.
  const parts = [
    form,
    part(history, "history", store),
    bar,
    part(sentence, "sentence", store),
    part(readouts, "readouts"),
    part(formulas, "results"),
    part(charts, "charts", store),
  ];
  const figures = parts.filter(each => each.draw);
  const repaints = new Repaints(figures);
  const results = root.querySelector(".results");
  const phone = matchMedia("(max-width: 780px)");

  function show() {
    for (const each of parts) each.show(store);
    for (const each of figures) each.draw(store);
  }

  function settle() {
    for (const each of parts) each.settle?.(store);
  }

  let frame = 0, lastUpdate = -Infinity, isWritten = false;   // whether the texts show the present state

  function changed() {
    isWritten = false;
    repaints.changed();
    frame ||= requestAnimationFrame(update);
  }

  function update(now) {
    const run = now - lastUpdate < RUN_MS;
    [frame, lastUpdate] = [0, now];
    // A frame that is only there for a figure writes no text again.
    if (!isWritten) for (const each of parts) each.show(store);
    isWritten = true;
    if (repaints.draw(store, now, run)) frame = requestAnimationFrame(update);
  }

  store.addEventListener("change", changed);
  store.addEventListener("settle", () => {
    settle();
    changed();   // axes come to rest
  });
  root.querySelector(".controls").addEventListener("pointerdown", event => {
    if (phone.matches && !event.target.closest("input, button, select")) bar.pin(event);
  }, true);

  return {
    /** Show it as the page is to be shown: its theme, its locks, and the parts that are there. */
    present(look) {
      for (const each of parts) each.present?.(look);
      results.hidden = [...results.children].every(each => each.hidden);
      root.classList.toggle("alone", form.root.hidden || results.hidden);
      show();
      settle();
    },

    /** Lead the keyboard to the first of the results. */
    focus() {
      const first = [...results.children].find(each => !each.hidden);
      first.tabIndex = -1;
      first.focus();
    },

    /** Take over widgets and figures, once they are on the page; resolves when all listen. */
    async connect(roots) {
      for (const each of parts) each.connect?.(roots);
      show();
      await idle(1000);
      form.resync();
    },

    /**
     * Browsers compile what has run often. Repeating the present state while nothing else is to
     * be done makes the first drag as smooth as the tenth.
     */
    async warmUp() {
      for (let times = 100; times && !store.moved; times--) {
        show();
        await idle();
      }
    },
  };
}
