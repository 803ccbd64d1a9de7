// Single changes, ranked: each a row with its bar, which is HTML, as a press on the row makes the change.
import {MEASURES, bars, filled, pulls, ranked} from "../../core/explorer/levers.mjs";
import {change, sentence, value} from "../../core/words/levers.mjs";
import {element, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {headedRow, ranking} from "../table.mjs";

/** A lever's row: its button, what it makes of the measure, its bar. */
function row(lever, pull) {
  const button = Object.assign(element("button", lever.label), {type: "button"});
  button.addEventListener("click", pull);
  const bar = element("i"), text = element("b");
  const root = headedRow(button, "", [element("span", bar), text]);
  return {root, lever, button, value: root.cells[1], bar, text};
}

export function levers(root, store) {
  const measures = root.querySelector(".measure"), full = root.querySelector(".full input");
  const body = root.querySelector("tbody"), write = slots(root);
  const rows = new Map();   // by the names of their levers
  const lines = ranking(body, () => show(store));
  let found = [], order = [];

  measures.append(...Object.entries(MEASURES).map(([key, {name}]) => Object.assign(element("option", name), {value: key})));
  measures.addEventListener("change", () => show(store, true));
  full.addEventListener("change", () => show(store, true));

  function pull(lever) {
    const one = found.find(each => each.lever === lever);
    const wrong = one ? store.choose(one.state, lever.key) : `${lever.label}: ${past(lever)}.`;
    if (wrong) note(root, wrong);
    show(store);
  }

  /** Why a lever cannot be pulled now. */
  function past({key, becomes}) {
    return store.state[key] === becomes ? "done" : "not possible now";
  }

  function rowOf(lever) {
    if (!rows.has(lever.name)) rows.set(lever.name, row(lever, () => pull(lever)));
    return rows.get(lever.name);
  }

  /** While a move goes on rows keep their places, unless there are others. */
  function show({state, report, moving}, isOther = !moving) {
    const measure = MEASURES[measures.value], before = full.checked ? filled(state, report) : report;
    found = ranked(measure, before, pulls(state, full.checked));
    // Where not one sequence fits now there is nothing to compare with.
    const lengths = bars(found.map(({gain}) => before ? gain : 1));
    found.forEach((each, i) => {
      const {root: line, button, value: place, bar, text} = rowOf(each.lever);
      const isWorse = each.gain < 1;
      button.disabled = store.lockComplaint(each.state) !== "";
      place.textContent = `${value(measure, each.report)}${each.report.fits ? "" : ", does not fit"}`;
      text.textContent = before ? change(measure.isLess ? 1 / each.gain : each.gain) : "";
      line.classList.toggle("worse", isWorse);
      bar.style.cssText = `--from: ${lengths[i].from}; --length: ${lengths[i].length}`;
    });
    const names = found.map(({lever}) => lever.name);
    if (isOther || names.length !== order.length || names.some(name => !order.includes(name))) {
      order = names;
      const left = lines.arrange(names.map(name => rows.get(name).root));
      for (const {root: line, lever, value: place, bar, text} of rows.values()) {
        if (!left.includes(line)) continue;
        [place.textContent, text.textContent, bar.style.cssText] = [past(lever), "", ""];
      }
    }
    write({measure: `${measure.name}, ${value(measure, before)} now`, said: sentence(measure, before, found)});
  }

  return {show};
}
