// Rows as a file that spreadsheets open.

/** A cell with a comma, a quote or a line's end in it is quoted. @param {(string | number | boolean)[][]} rows */
export function csvOf(rows) {
  /** @param {string | number | boolean} value */
  const cell = value => /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return rows.map(row => `${row.map(cell).join(",")}\n`).join("");
}
