// One Bokeh figure, and the labels, rules and wall that the page puts around it. A chart says what
// to draw; it is drawn in the colours of now.
import data from "../built/data.mjs";
import {count} from "../core/words/format.mjs";
import {all, element} from "./dom.mjs";

/** How a label lies to its place: how far aside, how far down [px], and which edge of it. */
const PLACES = {
  above: [-6, -12, "bottom"],
  below: [-6, 14, "top"],
  aside: [8, -4, "bottom"],
  over: [8, -22, "bottom"],
};

/** A letter of a label is at most so wide, and a label may reach so far out of the frame. [px] */
const LETTER = 7.4, MARGIN = 20;

/** Plots by the roots of their charts. @type {WeakMap<HTMLElement, Plot>} */
const plots = new WeakMap();

/** What a chart has drawn; nothing where it has not been. @param {HTMLElement} root */
export function plotOf(root) { return plots.get(root); }

/** Take from a figure what only tools need, and what takes time at each repaint. */
export function withoutTools(place) {
  // Its upper canvas is for tools: a layer less in each frame.
  const canvas = place.firstElementChild.shadowRoot.querySelector(".bk-Canvas");
  canvas.shadowRoot.querySelector("canvas ~ canvas")?.style.setProperty("display", "none");
  // Nor is anything styled by the elements of its renderers, whose sheets Bokeh writes and reads
  // at each repaint: on the page they cost 2 ms of 5.
  canvas.shadowRoot.querySelector(".bk-events").remove();
}

export class Plot {
  /**
   * @param {HTMLElement} root of the chart
   * @param {HTMLElement} place of the figure
   * @param figure Bokeh's, which has its sources by name
   */
  constructor(root, place, figure) {
    this.root = root;
    this.figure = figure;
    this.sources = new Map();   // of the figure, by name
    this.drawn = new Map();   // the rows of each source
    this.ticks = new Map();   // of each axis, as places from 0 to 1 with their texts
    this.cache = new Map();   // what the labels and the wall show
    this.reach = new Map();   // how far each axis goes, while a control moves
    this.dark = false;
    this.moving = false;
    this.width = 0;           // of the frame
    this.marks = [];          // where the points are, from 0 to 1 along both axes
    this.hatched = [];        // from where to where, likewise along x
    withoutTools(place);
    plots.set(root, this);
  }

  /** Draw anew whenever the frame has another width: asking for it would lay out the page at each drawing. */
  onResize(draw) {
    new ResizeObserver(([{contentRect}]) => {
      this.width = contentRect.width;
      draw();
    }).observe(this.root.querySelector(".frame"));
  }

  colour(token) {
    return data.colours[token][this.dark ? 1 : 0];
  }

  /** What an axis shows: where it starts, and where it ends. */
  range(axis) {
    const {start, end} = this.figure[`${axis}_range`];
    return [start, end];
  }

  /** The lowest and highest of some values. While a control moves an axis grows, and never shrinks. */
  span(axis, values) {
    const reach = this.moving ? this.reach.get(axis) ?? [] : [];
    const span = [Math.min(...reach, ...values), Math.max(...reach, ...values)];
    this.reach.set(axis, span);
    return span;
  }

  /** New columns for one of the figure's sources, from rows that each have all of them. */
  fill(name, rows) {
    if (!this.sources.has(name)) this.sources.set(name, this.figure.select_one(name));
    const source = this.sources.get(name), columns = source.columns();
    this.drawn.set(name, rows);
    source.setv({data: Object.fromEntries(columns.map(column => [column, rows.map(row => row[column])]))});
  }

  /** Lines, each as [xs, ys, colour, dash, width], and how strong it is. */
  lines(...rows) {
    this.fill("lines", rows.map(([xs, ys, token, dash, width, alpha = 1]) =>
      ({xs, ys, color: this.colour(token), dash, width, alpha})));
  }

  /** Points, each as [x, y, colour], and how strong it is; a faint one can be no handle. */
  points(...rows) {
    this.marks = rows.filter(([, , , alpha = 1]) => alpha === 1)
      .map(([x, y]) => [this.share("x", x), this.share("y", y)]);
    this.fill("points", rows.map(([x, y, token, alpha = 1]) =>
      ({x, y, color: this.colour(token), card: this.colour("card"), alpha})));
  }

  /**
   * Labels, each as [x, y, text, colour, place]: in the half at the right they end at their x. One
   * that is too long for its side is pushed back into the figure.
   */
  labels(...rows) {
    const width = this.width || Infinity;   // not laid out yet
    this.fill("labels", rows.map(([x, y, text, token, place]) => {
      const share = this.share("x", x), right = share > 0.5, [dx, dy, baseline] = PLACES[place];
      const beyond = Math.max(0, dx + LETTER * text.length - (right ? share : 1 - share) * width - MARGIN);
      return {
        x, y, text, dy, baseline,
        dx: right ? beyond - dx : dx - beyond,
        align: right ? "right" : "left",
        ink: this.colour(token),
        card: this.colour("card"),
      };
    }));
  }

  /** Ticks of both axes, with the ranges that move; nothing is done where nothing moved. */
  axes({range = {}, labels = {}, ...ticks}) {
    for (const axis of ["x", "y"]) {
      const to = range[axis], texts = labels[axis] ?? ticks[axis];
      const drawing = `${ticks[axis]} ${to} ${texts}`;
      if (this.cache.get(axis) === drawing) continue;
      this.cache.set(axis, drawing);
      const bounds = this.figure[`${axis}_range`];
      if (to) bounds.setv(bounds.factors ? {factors: to} : {start: to[0], end: to[1]});
      this.label(axis, ticks[axis], texts);
    }
  }

  label(axis, ticks, labels) {
    const rows = this.figure[`${axis}_range`].factors;
    const marks = ticks.map((tick, i) => ({
      at: rows ? (i + 0.5) / rows.length : this.share(axis, tick),
      text: typeof labels[i] === "string" ? labels[i] : count(labels[i]),
    }));
    this.ticks.set(axis, marks);
    this.root.querySelector(`[data-axis="${axis}"]`).replaceChildren(...marks.map(({at, text}) => {
      const label = element("li", text);
      label.style.setProperty("--at", String(at));
      return label;
    }));
  }

  /** The part of the chart beyond some x, hatched; none of it where x is past the axis. */
  wall(x) { this.walls([x, Infinity]); }

  /** Parts of the chart, each from some x to another, hatched. */
  walls(...spans) {
    // A little beyond the frame, where what ends it is not seen.
    const within = x => Math.min(Math.max(this.share("x", x), -0.01), 1.01);
    const shares = spans.map(span => span.map(within));
    if (this.cache.get("walls") === shares.join(" ")) return;
    this.cache.set("walls", shares.join(" "));
    this.hatched = shares;
    const frame = this.root.querySelector(".frame");
    while (frame.childElementCount > shares.length) frame.lastElementChild.remove();
    while (frame.childElementCount < shares.length) frame.append(Object.assign(element("div"), {className: "wall"}));
    all(frame, ".wall").forEach((wall, i) => { wall.style.cssText = `--at: ${shares[i][0]}; --to: ${shares[i][1]}`; });
  }

  /** Where a value lies on an axis, from 0 to 1. */
  share(axis, value) {
    const {scale} = this.measure(axis), [start, end] = this.range(axis);
    return (scale(value) - scale(start)) / (scale(end) - scale(start));
  }

  /** The value that lies somewhere on an axis. */
  value(axis, share) {
    const {scale, back} = this.measure(axis), [start, end] = this.range(axis);
    return back(scale(start) + share * (scale(end) - scale(start)));
  }

  measure(axis) {
    return this.figure[`${axis}_scale`].type === "LogScale"
      ? {scale: Math.log, back: Math.exp} : {scale: value => value, back: value => value};
  }
}
