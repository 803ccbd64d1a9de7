// Formulas under the readouts: the readout's own, then what it is made of, down to what can
// be set. The text comes from the traced formulas; here the values are put in.
import {formulas as printed} from "../built/formulas.mjs";
import {quantities} from "../built/arithmetic.mjs";
import {amount} from "../core/format.mjs";
import {quantityOf} from "../core/readouts.mjs";
import {all, element} from "./dom.mjs";

export function formulas(root) {
  const panels = new Map(all(root, "[data-formula]").map(panel => [panel.dataset.formula, panel]));
  let shown = null;

  for (const button of all(root, ".formula-toggle")) {
    const name = button.closest("[data-readout]").dataset.readout, panel = panels.get(name);
    button.addEventListener("click", () => {
      panel.hidden = !panel.hidden;
      button.setAttribute("aria-expanded", String(!panel.hidden));
      if (!panel.hidden) write(panel, name, shown);
    });
  }

  return {
    /** Write every formula that is open, with the values of a report. */
    show({report}) {
      shown = report;
      for (const [name, panel] of panels) if (!panel.hidden) write(panel, name, report);
    },
  };
}

function write(panel, readout, report) {
  const list = document.createElement("dl");
  lines(readout, report).forEach(({name, symbols, values}, i) => {
    const [label, unit, symbol] = quantities[i ? name : readout];
    list.append(
      element("dt", ...lowered(symbol)),
      element("dd", "= ", ...lowered(symbols), ` = ${values} = `,
        element("b", amount(report[name], unit)), " ", element("small", label)),
    );
  });
  panel.replaceChildren(list);
}

/** Without speculation the cycle is one plain step: these simpler formulas are shown. */
const PLAIN = {
  tokens_per_s: "plain_tokens_per_s",
  tokens_per_s_per_user: "plain_tokens_per_s_per_user",
};

function formulaOf(name, report) {
  return (report.n_drafted === 0 && PLAIN[name]) || quantityOf(name, report);
}

function lines(name, report) {
  const queue = [formulaOf(name, report)], seen = new Set(queue), found = [];
  while (queue.length) {
    const next = queue.shift();
    if (!printed[next]) continue;
    const used = [];
    const symbols = printed[next](report, each => { used.push(each); return quantities[each][2]; });
    const values = printed[next](report, each => amount(report[each], quantities[each][1]));
    found.push({name: next, symbols, values});
    for (const each of used) {
      if (!seen.has(each)) queue.push(each);
      seen.add(each);
    }
  }
  return found;
}

/** "t_step" with its index lowered. */
function lowered(text) {
  return text.split(/(?<=\p{L})_(\w+(?:,\w+)*)/u).map((part, i) => i % 2 ? element("sub", part) : part);
}
