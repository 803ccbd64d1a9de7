// Formulas: a number's own, then what it is made of, down to what can be set, each symbol in
// words. The text comes from the traced formulas; here the values are put in.
import {formulas as printed} from "../built/formulas.mjs";
import {quantities} from "../built/arithmetic.mjs";
import {amount} from "../core/words/format.mjs";
import {quantityOf} from "../core/words/readouts.mjs";
import {all, element, put} from "./dom.mjs";

export function formulas(root) {
  const panels = new Map(all(root, "[data-formula]").map(root => [root.id, {root, symbols: "", places: [], texts: [], inSight: false}]));
  let shown = null;

  const sight = new IntersectionObserver(entries => {
    for (const {target, isIntersecting} of entries) {
      const panel = panels.get(target.id);
      panel.inSight = isIntersecting;
      if (isIntersecting) write(panel, shown);
    }
  });
  for (const panel of panels.values()) sight.observe(panel.root);

  for (const button of all(root, ".formula-toggle")) {
    const panel = panels.get(button.getAttribute("aria-controls"));
    button.addEventListener("click", () => {
      panel.root.hidden = !panel.root.hidden;
      button.setAttribute("aria-expanded", String(!panel.root.hidden));
      if (!panel.root.hidden) write(panel, shown);
    });
  }

  return {
    /** Write the open formulas with the values of a report; while a move goes on, those in sight. */
    show({report, moving}) {
      shown = report;
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
  const {made, set} = lines(panel.root.dataset.formula, report);
  const symbols = made.map(line => line.name + line.symbols).join();
  if (panel.symbols !== symbols) {
    panel.symbols = symbols;
    panel.places = made.map(() => [element("span"), element("b")]);
    panel.texts = made.map(() => []);
    const list = element("dl", ...made.flatMap(({name, symbols}, i) => {
      const [label, , symbol] = quantities[name], [values, result] = panel.places[i];
      return [
        element("dt", ...lowered(symbol)),
        element("dd", "= ", ...lowered(symbols), values, " = ", result, " ", element("small", label)),
      ];
    }));
    const given = element("p", ...set.map(name => {
      const [label, , symbol] = quantities[name];
      return element("span", element("b", ...lowered(symbol)), ` ${label}`);
    }));
    panel.root.replaceChildren(list, given);
  }
  made.forEach(({name, values}, i) => {
    const result = amount(report[name], quantities[name][1]);
    const texts = [values === result ? "" : ` = ${values}`, result];
    panel.places[i].forEach((place, j) => { if (panel.texts[i][j] !== texts[j]) put(place, texts[j]); });
    panel.texts[i] = texts;
  });
}

/** Without speculation the cycle is one plain step: these simpler formulas are shown. */
const PLAIN = {
  tokens_per_s: "plain_tokens_per_s",
  tokens_per_s_per_user: "plain_tokens_per_s_per_user",
};

/** What stands beneath a number and has a formula, too: where it lies from the ridge. */
const BENEATH = {
  ttft_s: ["prefill_flops_per_byte", "prefill_times_from_ridge"],
  decode_flops_per_byte: ["decode_times_from_ridge"],
  verify_flops_per_byte: ["verify_times_from_ridge"],
};

/** The formulas of a number, and the symbols in them that have none: what is set. */
function lines(number, report) {
  const name = (report.n_drafted === 0 && PLAIN[number]) || quantityOf(number, report);
  const queue = [name, ...(BENEATH[name] ?? [])], seen = new Set(queue), made = [], set = [];
  while (queue.length) {
    const next = queue.shift();
    if (!printed[next]) {
      set.push(next);
      continue;
    }
    const used = [];
    const symbols = printed[next](report, each => { used.push(each); return quantities[each][2]; });
    const values = printed[next](report, each => amount(report[each], quantities[each][1]));
    made.push({name: next, symbols, values});
    for (const each of used) {
      if (!seen.has(each)) queue.push(each);
      seen.add(each);
    }
  }
  return {made, set};
}

/** "t_step" with its index lowered. */
function lowered(text) {
  return text.split(/(?<=\p{L})_(\w+(?:,\w+)*)/u).map((part, i) => i % 2 ? element("sub", part) : part);
}
