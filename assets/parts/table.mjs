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
