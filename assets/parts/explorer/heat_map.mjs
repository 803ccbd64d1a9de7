// A quantity over two inputs: cells in colours, hatched where it does not fit, read one by one.
import {beyond, ends, frontier, strength} from "../../core/explorer/heat_map.mjs";
import {cell} from "../../core/words/sweep.mjs";
import {inputText} from "../../core/words/format.mjs";
import {element} from "../dom.mjs";
import {Plot} from "../plot.mjs";

/** So wide is a label along the axis at most. [px] */
const LABEL = 78;

/** The weakest cell has so much of the colour. */
const FAINT = 0.07;

const STEPS = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

export class HeatMap {
  /**
   * @param {HTMLElement} panel of the chart
   * @param figure Bokeh's
   */
  constructor(panel, figure) {
    this.plot = new Plot(panel, panel.querySelector(".figure"), figure);
    this.root = panel.querySelector(".reading");
    this.drawn = null;   // the grid, its inputs and quantity, and the state
    this.at = [0, 0];    // column and row where keys have led
    this.root.setAttribute("role", "slider");
    this.root.setAttribute("aria-roledescription", "map");
    this.root.tabIndex = 0;
    for (const kind of ["pointermove", "pointerdown"]) {
      this.root.addEventListener(kind, (/** @type {any} */ event) => this.point(this.under(event)));
    }
    this.root.addEventListener("pointerleave", ({pointerType}) => {
      // What a finger has read stays to be read.
      if (pointerType === "mouse") this.point(this.root.matches(":focus-visible") ? this.at : null);
    });
    this.root.addEventListener("keydown", event => this.keydown(event));
    this.root.addEventListener("focus", () => { if (this.root.matches(":focus-visible")) this.point(this.at); });
    this.root.addEventListener("blur", () => this.point(null));
    this.plot.onResize(() => { if (this.drawn) this.draw(this.drawn); });
  }

  /** @param drawn `grid`, `keys` of both inputs, `quantity`, `state` */
  draw(drawn) {
    this.drawn = drawn;
    const {plot} = this, {grid: {xs, ys, rows}, keys: [over, against], quantity, state} = drawn, scale = ends(drawn.grid, quantity);
    plot.axes({
      ...Object.fromEntries(["x", "y"].map((axis, i) => [axis, this.ticks(axis, [xs, ys][i]).map(each => each + 0.5)])),
      range: {x: [0, xs.length], y: [0, ys.length]},
      labels: {x: this.ticks("x", xs).map(i => inputText(xs[i])), y: ys.map(inputText)},
    });
    plot.fill("cells", rows.flatMap((row, y) => row.flatMap((report, x) => report
      ? [{y: y + 0.5, left: x, right: x + 1, ...this.fill(strength(Number(report[quantity]), scale))}] : [])));
    plot.fill("beyond", rows.flatMap((row, y) => beyond(row).map(run => ({...run, y: y + 0.5, stripe: plot.colour("danger")}))));
    plot.lines(...frontier(drawn.grid).map(({xs: across, ys: up}) => [across, up, "danger", "solid", 2.5]));
    const [column, row] = [xs.indexOf(state[over]), ys.indexOf(state[against])];
    plot.points(...column < 0 || row < 0 ? [] : [[column + 0.5, row + 0.5, "ink"]]);
    this.at = [Math.min(this.at[0], xs.length - 1), Math.min(this.at[1], ys.length - 1)];
    this.tell();
    if (this.root.firstChild) this.point(this.read);
  }

  /** Which values have a label: all upwards, as many along as have room. */
  ticks(axis, values) {
    const every = axis === "y" ? 1 : Math.max(1, Math.ceil(values.length * LABEL / (this.plot.width || Infinity)));
    return values.map((_, i) => i).filter(i => i % every === 0);
  }

  /** A cell's colour, and how strong that is on any card. */
  fill(share) {
    const [card, full] = ["card", "total"].map(token => this.plot.colour(token));
    const alpha = isNaN(share) ? 0 : FAINT + (1 - FAINT) * share;
    return {fill: mixed(card, full, alpha), alpha};
  }

  under({clientX, clientY}) {
    const {left, top, width, height} = this.root.getBoundingClientRect(), {xs, ys} = this.drawn.grid;
    const place = (share, n) => Math.min(Math.max(Math.floor(share * n), 0), n - 1);
    return [place((clientX - left) / width, xs.length), place(1 - (clientY - top) / height, ys.length)];
  }

  keydown(event) {
    if (event.key === "Escape") return void this.point(null);
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();   // the page does not scroll
    const {xs, ys} = this.drawn.grid, to = (i, n) => Math.min(Math.max(this.at[i] + step[i], 0), n - 1);
    this.at = [to(0, xs.length), to(1, ys.length)];
    this.tell();
    this.point(this.at);
  }

  /** @param {number[]} place column and row */
  lines([column, row]) {
    const {grid, keys, quantity} = this.drawn;
    return cell(grid, keys, quantity, column, row);
  }

  /** For who does not see it: the cell where keys have led. */
  tell() {
    const {xs, ys} = this.drawn.grid, [column, row] = this.at;
    const now = {valuemin: 1, valuemax: xs.length * ys.length, valuenow: row * xs.length + column + 1, valuetext: this.lines(this.at).join(", ")};
    for (const [name, value] of Object.entries(now)) this.root.setAttribute(`aria-${name}`, String(value));
  }

  /** Show what a cell has, or nothing. */
  point(place) {
    this.read = place;
    if (!place) return void this.root.replaceChildren();
    const {xs, ys} = this.drawn.grid, [column, row] = place, card = element("ul", ...this.lines(place).map(text => element("li", text)));
    card.classList.toggle("left", column + 0.5 > xs.length / 2);
    card.classList.toggle("low", row + 0.5 > ys.length / 2);
    const box = element("b");
    box.style.cssText = `--column: ${column}; --row: ${row}; --columns: ${xs.length}; --rows: ${ys.length}`;
    this.root.style.setProperty("--at", (column + 0.5) / xs.length);
    this.root.replaceChildren(box, card);
  }
}

/** One colour of two, each as #rrggbb. */
function mixed(from, to, share) {
  const part = i => Math.round((1 - share) * parseInt(from.slice(i, i + 2), 16) + share * parseInt(to.slice(i, i + 2), 16));
  return `#${[1, 3, 5].map(i => part(i).toString(16).padStart(2, "0")).join("")}`;
}
