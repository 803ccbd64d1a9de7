// The charts under their tabs, one shown at a time: its legend, its figure, the same as a table.
import * as roofline from "./charts/roofline.mjs";
import * as steptime from "./charts/steptime.mjs";
import * as throughput from "./charts/throughput.mjs";
import {all, element, slots} from "./dom.mjs";
import {Plot} from "./plot.mjs";

/** Each module has the legend, the drawing and the table of one chart; its tab is in figures.py. */
const CHARTS = {throughput, roofline, steptime};

export function charts(root) {
  const tabs = all(root, '[role="tab"]');
  const panels = new Map(all(root, "[data-chart]").map(panel => [panel.dataset.chart, panel]));
  const legends = new Map([...panels].map(([name, panel]) => [name, legend(panel, CHARTS[name].legend)]));
  const plots = new Map();
  let chosen = tabs[0].dataset.part;
  let dark = false;
  let shown = null;   // the store that was shown last

  function show(store, drawn = true) {
    const {state, report} = shown = store;
    legends.get(chosen)(state, report);
    const plot = plots.get(chosen);
    if (plot && drawn) {
      plot.dark = dark;
      CHARTS[chosen].draw(plot, state, report);
    }
    showTable();
  }

  function showTable() {
    const panel = panels.get(chosen);
    if (!panel.querySelector("details").open) return;
    const table = document.createElement("table");
    CHARTS[chosen].table(shown.state, shown.report).forEach((cells, i) => {
      table.insertRow().append(...cells.map(cell => element(i ? "td" : "th", cell)));
    });
    panel.querySelector(".rows").replaceChildren(table);
  }

  function select(tab) {
    chosen = tab.dataset.part;
    for (const each of tabs) {
      each.setAttribute("aria-selected", String(each === tab));
      each.tabIndex = each === tab ? 0 : -1;
      panels.get(each.dataset.part).hidden = each !== tab;
    }
  }

  function press(tab) {
    select(tab);
    show(shown);
  }

  for (const tab of tabs) {
    tab.addEventListener("click", () => press(tab));
    tab.addEventListener("keydown", ({key}) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[key];
      if (!step) return;
      const left = tabs.filter(each => !each.hidden);
      const next = left.at((left.indexOf(tab) + step) % left.length);
      next.focus();
      press(next);
    });
  }
  for (const details of all(root, "details")) details.addEventListener("toggle", showTable);

  return {
    show,
    /** Bokeh's figures, once they are on the page. */
    connect(figures) {
      for (const [name, panel] of panels) plots.set(name, new Plot(panel, name, figures));
    },
    /** In the colours of a theme, and only the charts whose tabs are there. */
    present(theme) {
      dark = theme === "dark";
      const left = tabs.filter(tab => !tab.hidden);
      root.hidden = !left.length;
      root.querySelector(".tabs").hidden = left.length === 1;
      if (left.length) select(left.find(tab => tab.dataset.part === chosen) ?? left[0]);
    },
  };
}

/** A chart's legend, made in its panel; gives what writes it. */
function legend(panel, entries) {
  panel.querySelector(".legend").replaceChildren(
    ...Object.entries(entries).map(([name, [mark]]) => {
      const item = element("li");
      item.className = mark;
      item.dataset.text = `legend_${name}`;
      return item;
    }));
  const write = slots(panel);
  return (state, report) => write(Object.fromEntries(
    Object.entries(entries).map(([name, [, text]]) => [`legend_${name}`, text(state, report)])));
}
