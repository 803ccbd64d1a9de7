// Rows of texts as a table: the first row has the heads. And rows that stay while their texts change.
import {element, put} from "./dom.mjs";

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

/** Other texts behind a row's head, where they are others. */
export function fillRow(row, texts) {
  texts.forEach((text, i) => {
    const cell = row.cells[i + 1];
    if (cell.textContent !== text) put(cell, text);
  });
}

/** The rows of a table's body, in this order; the keyboard stays where it is. */
export function arrange(body, rows) {
  if (rows.length === body.rows.length && rows.every((row, i) => row === body.rows[i])) return;
  const {activeElement} = body.ownerDocument, focused = body.contains(activeElement) ? activeElement : null;
  body.replaceChildren(...rows);
  if (focused?.isConnected) focused.focus();
}

/** The rows of a panel as a table, made while it is open. */
export function tableOpened(panel, rows) {
  const details = panel.querySelector("details");
  details.ontoggle = () => {
    if (details.open) panel.querySelector(".rows").replaceChildren(tableOf(rows()));
  };
  details.ontoggle();
}
