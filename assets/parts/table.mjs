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
  const {activeElement} = body.ownerDocument, focused = body.contains(activeElement) ? activeElement : null;
  rows.forEach((row, i) => { if (body.rows[i] !== row) body.insertBefore(row, body.rows[i] ?? null); });
  while (body.rows.length > rows.length) body.lastElementChild.remove();
  if (focused?.isConnected) focused.focus();
}

/**
 * Rows that are pressed. While the pointer or the keyboard is among them none of those there moves or
 * goes, so that a second press meets the same row: `lay` is told once they are left.
 */
export function ranking(body, lay) {
  const isHeld = () => body.matches(":hover, :has(:focus-visible)");
  // Once the keyboard has come to where it goes.
  for (const kind of ["mouseleave", "focusout"]) body.addEventListener(kind, () => setTimeout(lay));

  return {
    /** These rows, in this order; gives those that are there still and not among them. */
    arrange(rows) {
      const there = isHeld() ? [...body.rows] : [], past = there.filter(row => !rows.includes(row));
      const all = there.length ? [...there, ...rows.filter(row => !there.includes(row))] : rows;
      arrange(body, all);
      for (const row of all) row.classList.toggle("past", past.includes(row));
      return past;
    },
  };
}

/** What each panel shows, as rows. @type {WeakMap<HTMLElement, () => (string | number)[][]>} */
const shown = new WeakMap();

/** The rows of a panel's table, for a file: the numbers as they are, where it has such. */
export function rowsOf(panel) { return shown.get(panel)(); }

/**
 * The rows of a panel as a table, made while it is open.
 * @param {any} panel
 * @param {() => string[][]} rows
 * @param {() => (string | number)[][]} [numbers] the same for a file
 */
export function tableOpened(panel, rows, numbers = rows) {
  shown.set(panel, numbers);
  const details = panel.querySelector("details");
  details.ontoggle = () => {
    if (details.open) panel.querySelector(".rows").replaceChildren(tableOf(rows()));
  };
  details.ontoggle();
}
