// Formulas under the numbers, opened by their ƒ: each line in symbols and in values.
import {quantities} from "../built/arithmetic.mjs";
import {derivation} from "../core/words/derivation.mjs";
import {all, element, put} from "./dom.mjs";
import {Sight} from "./sight.mjs";

export function formulas(root) {
  const panels = new Map(all(root, "[data-formula]").map(root =>
    [root.id, {root, symbols: "", lines: []}]));
  let latest = null;   // what the store has
  const sight = new Sight(() => show(latest));

  /** Write the open formulas with the values of a report; while a move goes on, the lines in sight. */
  function show({report, moving}) {
    latest = {report, moving};
    const isDue = line => !moving || sight.has(line);
    for (const panel of panels.values()) {
      const isSeen = !panel.lines.length || panel.lines.some(({root}) => isDue(root));
      if (!panel.root.hidden && isSeen) write(panel, report, isDue);
    }
  }

  for (const button of all(root, ".formula-toggle")) {
    const panel = panels.get(button.getAttribute("aria-controls"));
    const turn = () => {
      panel.root.hidden = !panel.root.hidden;
      button.setAttribute("aria-expanded", String(!panel.root.hidden));
      show(latest);
    };
    button.addEventListener("click", turn);
    for (const each of [button, panel.root]) {
      each.addEventListener("keydown", event => {
        // A term's sentence above it closes first.
        if (event.key !== "Escape" || panel.root.hidden || root.querySelector(":popover-open")) return;
        turn();
        button.focus();
      });
    }
  }

  /** The lines of a panel; as long as the symbols are the same only values, of the lines that are due. */
  function write(panel, report, isDue) {
    const {steps, givens} = derivation(panel.root.dataset.formula, report);
    const symbols = steps.map(step => step.name + step.symbols).join();
    if (panel.symbols !== symbols) {
      panel.symbols = symbols;
      lay(panel, steps, givens);
      sight.watch(...panel.lines.map(({root}) => root));
    }
    panel.lines.forEach(({root, places, texts}, i) => {
      if (!isDue(root)) return;
      const {values, result} = steps[i];
      [values === result ? "" : ` = ${values}`, result].forEach((text, j) => {
        if (texts[j] !== text) put(places[j], texts[j] = text);
      });
    });
  }

  return {
    show,

    settle(store) {
      show(store);
    },
  };
}

/** Lines with places for their values, and what the symbols mean that have no line. */
function lay(panel, steps, givens) {
  panel.lines = steps.map(({name, symbols}) => {
    const places = [element("span"), element("b")], [values, result] = places;
    const small = element("small", quantities[name][0]);
    const root = element("dd", "= ", ...withIndex(symbols), values, " = ", result, " ", small);
    return {root, places, texts: []};
  });
  const list = element("dl", ...steps.flatMap(({name}, i) =>
    [element("dt", ...withIndex(quantities[name][2])), panel.lines[i].root]));
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
