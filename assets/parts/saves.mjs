// A chart to save: as a picture, and what it shows as numbers.
import {csvOf} from "../core/csv.mjs";
import {scenarioBar} from "../core/words/scenario_bar.mjs";
import {chartPng, chartSvg} from "./chart_svg.mjs";
import {element} from "./dom.mjs";
import {note} from "./notes.mjs";
import {rowsOf} from "./table.mjs";

/** Long enough for a browser to take a file. [ms] */
const TAKEN_MS = 10_000;

/** @param {string} name of the file @param {Blob} contents */
function save(name, contents) {
  const href = URL.createObjectURL(contents);
  Object.assign(document.createElement("a"), {href, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(href), TAKEN_MS);
}

/** What a chart is a chart of. */
export function captionOf({state, report}) {
  const {scenario, request} = scenarioBar(state, report, false);
  return `${scenario} · ${request}`;
}

/**
 * Buttons that save a chart in each of some forms.
 * @param {() => HTMLElement} panel of the chart
 * @param store
 * @param {("svg" | "png" | "csv")[]} forms
 */
export function saves(panel, store, forms) {
  const files = {
    svg: svg => new Blob([svg], {type: "image/svg+xml"}),
    png: chartPng,
    csv: () => new Blob([csvOf(rowsOf(panel()))], {type: "text/csv"}),
  };

  async function give(form) {
    const chart = panel(), svg = chartSvg(chart, captionOf(store));
    if (!svg) return void note(chart, "The chart is not drawn yet: it comes with the sliders.");
    save(`${chart.dataset.chart}.${form}`, await files[form](svg));
  }

  return forms.map(form => {
    const button = Object.assign(element("button", form.toUpperCase()), {type: "button", className: "quiet"});
    button.ariaLabel = `Save the chart as ${form.toUpperCase()}`;
    button.addEventListener("click", () => give(form));
    return button;
  });
}
