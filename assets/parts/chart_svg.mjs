// A chart as a picture of its own: what its plot has drawn, with axes and legend, in light colours.
import data from "../built/data.mjs";
import {all} from "./dom.mjs";
import {plotOf} from "./plot.mjs";

/** The picture, and the frame of the data inside it. [px] */
const WIDTH = 760, LEAST_LEFT = 78, RIGHT = 28, FRAME = 260, LINE = 20, BELOW = 52;

/** A letter is about so wide. [px] */
const LETTER = 7.3;

/** Of each colour in the dark the one in the light. @type {Map<string, string>} */
const LIGHT = new Map(Object.values(data.colours).map(([light, dark]) => [dark, light]));
const light = colour => LIGHT.get(colour) ?? colour;
const token = name => data.colours[name][0];

const FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

const escaped = text => text.replace(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`);
const rounded = value => Number(value.toFixed(2));

/** An element; attributes that are not given are left out. */
function tag(name, attributes, content = "") {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value)}"`);
  return `<${name}${given.join("")}>${content}</${name}>`;
}

const text = (x, y, content, attributes = {}) => tag("text", {x, y, fill: token("muted"), ...attributes}, escaped(content));

/** Of the legend's lines, by their style. */
const DASHES = {dashed: "7 4", dotted: "2 3"};

/** What stands before a text of the legend: its colour, and its dash if it is a line. */
function markOf(item) {
  const {borderTopColor, borderTopStyle, borderTopWidth, backgroundColor, display} = getComputedStyle(item, "::before");
  if (display === "none") return null;
  const isLine = parseFloat(borderTopWidth) > 0 && /^line-/.test(item.className);
  return {colour: light(hex(isLine ? borderTopColor : backgroundColor)), isLine, dash: DASHES[borderTopStyle]};
}

/** "rgb(74, 72, 207)" as "#4a48cf". */
function hex(colour) {
  const parts = colour.match(/\d+/g) ?? ["0", "0", "0"];
  return `#${parts.slice(0, 3).map(part => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** The legend in as many lines as it needs, and how many these are. */
function legend(items, y, left) {
  let x = left, line = 0;
  const drawn = items.map(item => {
    const words = item.textContent, mark = markOf(item), width = words.length * LETTER + 46;
    if (x > left && x + width > WIDTH) [x, line] = [left, line + 1];
    const at = x, middle = y + line * LINE;
    x += width;
    const sign = !mark ? "" : mark.isLine
      ? tag("line", {x1: at, x2: at + 22, y1: middle - 4, y2: middle - 4, stroke: mark.colour, "stroke-width": 2.5, "stroke-dasharray": mark.dash})
      : tag("rect", {x: at, y: middle - 10, width: 12, height: 12, rx: 3, fill: mark.colour});
    return sign + text(at + (!mark ? 0 : mark.isLine ? 28 : 18), middle, words);
  });
  return {drawn: drawn.join(""), lines: items.length ? line + 1 : 0};
}

/**
 * A chart's picture as the text of an SVG file; nothing where it has not been drawn.
 * @param {HTMLElement} panel
 * @param {string} caption what it is a chart of
 * @returns {string | undefined}
 */
export function chartSvg(panel, caption) {
  const plot = plotOf(panel);
  if (!plot?.drawn.size) return undefined;
  const legends = panel.querySelector(".legend") ?? panel.parentElement.querySelector(":scope > .legend:not([hidden])");
  const items = legends ? all(legends, "li").filter(item => !item.hidden && item.textContent) : [];
  const before = panel.previousElementSibling, scale = before?.matches(".scale") ? before : null;
  const [across, up] = ["x", "y"].map(axis => plot.ticks.get(axis) ?? []);
  const left = Math.max(LEAST_LEFT, ...up.map(({text: label}) => label.length * LETTER + 14));
  const {drawn: signs, lines: signLines} = legend(items, 44, left), top = 36 + Math.max(signLines, scale ? 1 : 0) * LINE + 12, height = top + FRAME + BELOW;
  const wide = WIDTH - left - RIGHT, x = share => left + share * wide, y = share => top + (1 - share) * FRAME;
  const at = (axis, value) => (axis === "x" ? x : y)(plot.share(axis, value));
  const rows = name => plot.drawn.get(name) ?? [];
  const bottom = top + FRAME;
  const beyond = plot.hatched.map(span => span.map(share => Math.min(Math.max(share, 0), 1))).filter(([from, to]) => to > from);
  const parts = [
    tag("rect", {width: WIDTH, height, fill: token("card")}),
    text(left, 24, caption, {fill: token("ink"), "font-weight": "650", "font-size": "15"}),
    signs,
    ...scale ? [text(left, 44, scaleOf(scale))] : [],
    ...beyond.flatMap(([from, to]) => [
      ...["danger-wash", ""].map(wash => tag("rect", {
        x: x(from), y: top, width: (to - from) * wide, height: FRAME, fill: wash ? token(wash) : "url(#beyond)",
      })),
      ...[from, to].filter(edge => edge > 0 && edge < 1).map(edge => tag("line", {
        x1: x(edge), x2: x(edge), y1: top, y2: bottom, stroke: token("danger"), "stroke-dasharray": "4 3",
      })),
    ]),
    ...across.flatMap(({at: share, text: label}) => [
      tag("line", {x1: x(share), x2: x(share), y1: top, y2: bottom, stroke: token("line")}),
      text(x(share), bottom + 18, label, {"text-anchor": "middle"}),
    ]),
    ...up.flatMap(({at: share, text: label}) => [
      ...rows("bars").length ? [] : [tag("line", {x1: left, x2: x(1), y1: y(share), y2: y(share), stroke: token("line")})],
      text(left - 8, y(share) + 4, label, {"text-anchor": "end"}),
    ]),
    ...rows("cells").map(row => cell(row, at, {fill: token("total"), "fill-opacity": row.alpha})),
    ...rows("beyond").map(row => cell(row, at, {fill: "url(#beyond)"})),
    tag("g", {"clip-path": "url(#frame)"}, rows("lines").filter(({xs}) => xs.length > 1).map(row => tag("polyline", {
      points: row.xs.map((each, i) => `${rounded(at("x", each))},${rounded(at("y", row.ys[i]))}`).join(" "),
      fill: "none", stroke: light(row.color), "stroke-width": row.width, "stroke-opacity": row.alpha < 1 ? row.alpha : undefined,
      "stroke-dasharray": row.dash === "solid" ? undefined : row.dash, "stroke-linejoin": "round",
    })).join("")),
    ...rows("bars").map(row => bar(row, plot.figure.y_range.factors, at, y)),
    ...rows("points").map(row => tag("circle", {
      cx: at("x", row.x), cy: at("y", row.y), r: 6, fill: light(row.color), "fill-opacity": row.alpha < 1 ? row.alpha : undefined,
      stroke: token("card"), "stroke-width": 2,
    })),
    ...rows("labels").map(row => text(at("x", row.x) + row.dx, at("y", row.y) + row.dy + (row.baseline === "top" ? 10 : 0), row.text, {
      fill: light(row.ink), "text-anchor": row.align === "right" ? "end" : "start",
      stroke: token("card"), "stroke-width": 4, "paint-order": "stroke",
    })),
    text(x(1), bottom + 40, panel.querySelector(".axis").textContent, {"text-anchor": "end"}),
  ];
  const stripes = tag("pattern", {id: "beyond", width: 12, height: 12, patternUnits: "userSpaceOnUse", patternTransform: "rotate(30)"},
    tag("line", {x1: 0, x2: 0, y1: 0, y2: 12, stroke: token("danger"), "stroke-opacity": "0.3", "stroke-width": 1.5}));
  const frame = tag("clipPath", {id: "frame"}, tag("rect", {x: left, y: top, width: wide, height: FRAME}));
  return tag("svg", {
    xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height,
    "font-family": FONT, "font-size": "13", role: "img", "aria-label": caption,
  }, tag("defs", {}, stripes + frame) + parts.join(""));
}

/** What the colours of a map stand for. */
function scaleOf(scale) {
  const [low, high, beyond] = all(scale, "span, b").map(each => each.textContent);
  return `from ${low}, pale, to ${high}; hatched: ${beyond}`;
}

/** A cell of a map, or some beside each other; each is 1 high. */
function cell({left, right, y}, at, paint) {
  const [from, to, top, bottom] = [at("x", left), at("x", right), at("y", y + 0.5), at("y", y - 0.5)];
  return tag("rect", {x: from, width: to - from, y: top, height: bottom - top, ...paint});
}

/** A bar of a row of factors; a share of its row high, and so far beside its middle. */
function bar({row: [name, aside], left, right, height, color, alpha}, factors, at, y) {
  const middle = (factors.indexOf(name) + 0.5 + aside) / factors.length, share = height / factors.length;
  return tag("rect", {
    x: at("x", left), width: Math.max(at("x", right) - at("x", left), 0),
    y: y(middle + share / 2), height: share * FRAME, fill: light(color), "fill-opacity": alpha < 1 ? alpha : undefined,
  });
}

/**
 * The same as a PNG, twice as fine.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function chartPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width: 2 * image.width, height: 2 * image.height});
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(done => { canvas.toBlob(done, "image/png"); });
}
