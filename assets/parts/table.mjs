// Rows of texts as a table: the first row has the heads.
import {element} from "./dom.mjs";

/** @param {string[][]} rows */
export function tableOf(rows) {
  const table = document.createElement("table");
  rows.forEach((cells, i) => {
    table.insertRow().append(...cells.map(cell => element(i ? "td" : "th", cell)));
  });
  return table;
}

/** A row that begins with its head; a cell is a text, a node, or several of these. */
export function headedRow(head, ...cells) {
  const first = Object.assign(element("th", head), {scope: "row"});
  return element("tr", first, ...cells.map(cell => element("td", ...[cell].flat())));
}

/** The rows of a panel as a table, made while it is open. */
export function tableOpened(panel, rows) {
  const details = panel.querySelector("details");
  details.ontoggle = () => {
    if (details.open) panel.querySelector(".rows").replaceChildren(tableOf(rows()));
  };
  details.ontoggle();
}
