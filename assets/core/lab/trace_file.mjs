// A trace of one's own: CSV with a line for each request, read by the rules of calc's `trace_file`.
import data from "../../built/data.mjs";
import {arrays, Requests, trace_file} from "../../built/replay.mjs";
import {parsed} from "../numbers.mjs";
import {filled, shortened} from "../text.mjs";
/**
 * @import {Requests as Trace} from "../../built/replay.mjs"
 * @typedef {"arrival_s" | "prompt" | "output"} Column
 */

const {columns, encodings, longest_line, blanks, quoted, other_separators, says} = trace_file;
const COLUMNS = /** @type {Column[]} */ (Object.keys(columns));
const QUOTED = new RegExp(quoted, "y");
const AROUND = new RegExp(`^[${blanks}]+|[${blanks}]+$`, "g");

/** What is said of a file that is no trace. */
class TraceError extends Error {}

/**
 * The requests of a trace; or, in a sentence that names line and field, why it is none.
 * @param {string} text
 * @returns {{requests: Trace | null, lines: number[], wrong: string}} with the line of each request
 */
export function readTrace(text) {
  try {
    return {...requestsOf(text.split(/\r\n|\r|\n/)), wrong: ""};
  } catch (problem) {
    if (problem instanceof TraceError) return {requests: null, lines: [], wrong: problem.message};
    throw problem;
  }
}

/**
 * The text of a file, which says by its first bytes what it is written in.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function textOf(bytes) {
  const start = Array.from(bytes.subarray(0, 2), byte => byte.toString(16).padStart(2, "0")).join("");
  return new TextDecoder(encodings[start] ?? "utf-8").decode(bytes);
}

/** @param {string[]} lines */
function requestsOf(lines) {
  const places = placesOf(line(lines, 0)), found = arrays(Requests, data.lab.most_lines);
  const fields = [found.arrival_s, found.prompt_len, found.output_len];
  /** @type {number[]} */
  const numbers = [];
  let n = 0;
  for (let i = 1; i < lines.length; i++) {
    const text = line(lines, i);
    if (!trimmed(text)) continue;
    if (n === data.lab.most_lines) {
      throw new TraceError(`the page replays ${grouped(n)} requests at most, the command \`simulate --trace\` any number`);
    }
    const cells = fieldsOf(text, i + 1);
    COLUMNS.forEach((column, at) => {
      fields[at][n] = valueOf(column, cells[places[at]] ?? "", i + 1);
    });
    if (n && found.arrival_s[n] < found.arrival_s[n - 1]) throw refusal("arrival_s", cells[places[0]], i + 1, says.order);
    numbers.push(i + 1);
    n++;
  }
  if (!n) throw new TraceError(says.empty);
  const requests = /** @type {Trace} */ (Object.fromEntries(Requests.map(name => [name, found[name].slice(0, n)])));
  return {requests, lines: numbers};
}

/**
 * A line, if it is not too long with its end.
 * @param {string[]} lines
 * @param {number} i
 */
function line(lines, i) {
  const text = lines[i];
  const isLong = text.length >= longest_line && [...text].length + (i + 1 < lines.length ? 1 : 0) > longest_line;
  if (isLong) throw new TraceError(filled(says.long, {number: grouped(i + 1), most: grouped(longest_line)}));
  return text;
}

/**
 * What stands between the commas of a line, and is not in quotes.
 * @param {string} text
 * @param {number} place of the line
 */
function fieldsOf(text, place) {
  if (!text.includes('"')) return text.split(",");
  const fields = [];
  let start = 0;
  while (start <= text.length) {
    QUOTED.lastIndex = start;
    const inQuotes = QUOTED.exec(text), comma = text.indexOf(",", start);
    const end = inQuotes ? QUOTED.lastIndex : comma < 0 ? text.length : comma;
    const field = inQuotes ? inQuotes[1].replaceAll('""', '"') : text.slice(start, end);
    const isOpen = !inQuotes && trimmed(field).startsWith('"');
    if (isOpen || !["", ","].includes(text.charAt(end))) throw new TraceError(filled(says.quote, {number: grouped(place)}));
    fields.push(field);
    start = end + 1;
  }
  return fields;
}

/**
 * Where each of the columns stands.
 * @param {string} first
 */
function placesOf(first) {
  const names = fieldsOf(first, 1).map(trimmed);
  return COLUMNS.map(column => {
    const there = names.filter(name => name === column).length;
    if (there === 1) return names.indexOf(column);
    const text = trimmed(first), many = there ? "twice" : "not";
    const isOther = names.length === 1 && [...other_separators].some(each => text.includes(each));
    const why = isOther ? says.comma : says.column;
    throw new TraceError(filled(why, {text: shortened(text), column, many, columns: COLUMNS.join(", ")}));
  });
}

/**
 * @param {Column} column
 * @param {string} cell
 * @param {number} place of the line
 */
function valueOf(column, cell, place) {
  const [low, high, allowed] = columns[column], value = parsed(cell, column === "arrival_s" ? "s" : "tokens");
  if (value >= low && value <= high && (column === "arrival_s" || value % 1 === 0)) return value;
  throw refusal(column, cell, place, allowed);
}

/**
 * @param {Column} column
 * @param {string} cell
 * @param {number} place
 * @param {string} allowed
 */
function refusal(column, cell, place, allowed) {
  return new TraceError(filled(says.field, {number: grouped(place), column, text: shortened(trimmed(cell)), allowed}));
}

/** @param {string} text */
function trimmed(text) {
  return text.replace(AROUND, "");
}

/** @param {number} value */
function grouped(value) {
  return value.toLocaleString("en-US");
}
