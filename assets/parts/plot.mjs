// One Bokeh figure, and the labels, rules and wall that the page puts around and over it. A chart
// says what to draw; it is drawn in the colours of now.
import data from "../built/data.mjs";
import {count} from "../core/format.mjs";
import {element} from "./dom.mjs";

export class Plot {
  /**
   * @param {HTMLElement} root of the chart
   * @param {string} name
   * @param document Bokeh's, which has the figure and its sources by name
   */
  constructor(root, name, document) {
    this.root = root;
    this.name = name;
    this.document = document;
    this.figure = document.get_model_by_name(`root_${name}`);
    this.sources = new Map();
    this.drawn = new Map();   // what the labels and the wall show
    this.dark = false;
  }

  colour(token) {
    return data.colours[token][this.dark ? 1 : 0];
  }

  /** What an axis shows: where it starts, and where it ends. */
  range(axis) {
    const {start, end} = this.figure[`${axis}_range`];
    return [start, end];
  }

  /** New columns for one of the chart's sources. */
  fill(source, columns) {
    if (!this.sources.has(source)) {
      this.sources.set(source, this.document.get_model_by_name(`${this.name}_${source}`));
    }
    this.sources.get(source).setv({data: columns});
  }

  /** Lines, each as [xs, ys, colour, dash, width]. */
  lines(...rows) {
    const column = i => rows.map(row => row[i]);
    const color = column(2).map(token => this.colour(token));
    this.fill("lines", {xs: column(0), ys: column(1), color, dash: column(3), width: column(4)});
  }

  /** Points, each as [x, y, colour, label]. */
  points(...rows) {
    const column = i => rows.map(row => row[i]);
    const color = column(2).map(token => this.colour(token));
    const all = token => rows.map(() => this.colour(token));
    this.fill("points", {x: column(0), y: column(1), color, label: column(3), card: all("card"), ink: all("ink")});
  }

  /** Ticks of both axes, with the ranges that move; nothing is done where nothing moved. */
  axes({range = {}, labels = {}, ...ticks}) {
    for (const axis of ["x", "y"]) {
      const drawn = String(ticks[axis]);
      if (this.drawn.get(axis) === drawn) continue;
      this.drawn.set(axis, drawn);
      const model = this.figure[`${axis}_range`], to = range[axis];
      if (to) model.setv(model.factors ? {factors: to} : {start: to[0], end: to[1]});
      this.label(axis, ticks[axis], labels[axis] ?? ticks[axis]);
    }
  }

  label(axis, ticks, labels) {
    const rows = this.figure[`${axis}_range`].factors;
    this.root.querySelector(`[data-axis="${axis}"]`).replaceChildren(...ticks.map((tick, i) => {
      const label = element("li", typeof labels[i] === "string" ? labels[i] : count(labels[i]));
      label.style.setProperty("--at", rows ? (i + 0.5) / rows.length : this.share(axis, tick));
      return label;
    }));
  }

  /** The part of the chart beyond some x, hatched; none of it where x is past the axis. */
  wall(x) {
    if (this.drawn.get("wall") === x) return;
    this.drawn.set("wall", x);
    this.root.querySelector(".wall").style.setProperty("--at", Math.min(this.share("x", x), 1));
  }

  /** Where a value lies on an axis, from 0 to 1. */
  share(axis, value) {
    const scale = this.figure[`${axis}_scale`].type === "LogScale" ? Math.log : each => each;
    const [start, end] = this.range(axis);
    return (scale(value) - scale(start)) / (scale(end) - scale(start));
  }
}
