// Formulas under the numbers, opened by their ƒ: each line in symbols and in values.
import {quantities} from "../built/arithmetic.mjs";
import {derivation} from "../core/words/derivation.mjs";
import {all, element, put} from "./dom.mjs";

export function formulas(root) {
  const panels = new Map(all(root, "[data-formula]").map(root =>
    [root.id, {root, symbols: "", places: [], texts: [], inSight: false}]));
  let latest = null;   // the report

  const sight = new IntersectionObserver(entries => {
    for (const {target, isIntersecting} of entries) {
      const panel = panels.get(target.id);
      panel.inSight = isIntersecting;
      if (isIntersecting) write(panel, latest);
    }
  });
  for (const panel of panels.values()) sight.observe(panel.root);

  for (const button of all(root, ".formula-toggle")) {
    const panel = panels.get(button.getAttribute("aria-controls"));
    button.addEventListener("click", () => {
      panel.root.hidden = !panel.root.hidden;
      button.setAttribute("aria-expanded", String(!panel.root.hidden));
      if (!panel.root.hidden) write(panel, latest);
    });
  }

  return {
    /** Write the open formulas with the values of a report; while a move goes on, those in sight. */
    show({report, moving}) {
      latest = report;
      for (const panel of panels.values()) {
        if (!panel.root.hidden && (panel.inSight || !moving)) write(panel, report);
      }
    },

    settle(store) {
      this.show(store);
    },
  };
}

/** The lines of a panel; only their values, as long as the symbols are the same. */
function write(panel, report) {
  const {steps, givens} = derivation(panel.root.dataset.formula, report);
  const symbols = steps.map(step => step.name + step.symbols).join();
  if (panel.symbols !== symbols) {
    panel.symbols = symbols;
    lay(panel, steps, givens);
  }
  steps.forEach(({values, result}, i) => {
    const texts = [values === result ? "" : ` = ${values}`, result];
    panel.places[i].forEach((place, j) => { if (panel.texts[i][j] !== texts[j]) put(place, texts[j]); });
    panel.texts[i] = texts;
  });
}

/** Lines with places for their values, and what the symbols mean that have no line. */
function lay(panel, steps, givens) {
  panel.places = steps.map(() => [element("span"), element("b")]);
  panel.texts = steps.map(() => []);
  const list = element("dl", ...steps.flatMap(({name, symbols}, i) => {
    const [label, , symbol] = quantities[name], [values, result] = panel.places[i];
    return [
      element("dt", ...withIndex(symbol)),
      element("dd", "= ", ...withIndex(symbols), values, " = ", result, " ", element("small", label)),
    ];
  }));
  const meanings = element("p", ...givens.map(name => {
    const [label, , symbol] = quantities[name];
    return element("span", element("b", ...withIndex(symbol)), ` ${label}`);
  }));
  panel.root.replaceChildren(list, meanings);
}

/** "t_step" with its index lowered. */
function withIndex(text) {
  return text.split(/(?<=\p{L})_(\w+(?:,\w+)*)/u).map((part, i) => i % 2 ? element("sub", part) : part);
}
