// One page to print: the scenario in words, its numbers, the sentence, a chart, what is assumed, the link.
import data from "../built/data.mjs";
import {filling} from "../core/meter.mjs";
import {summaryRows} from "../core/words/summary.mjs";
import {chartSvg} from "./chart_svg.mjs";
import {all, element} from "./dom.mjs";
import {captionOf} from "./saves.mjs";

/** The bar of memory: its width and height in its own units. */
const WIDTH = 760, HEIGHT = 20;

/** A picture from the text of an SVG file; texts in it are escaped. */
function picture(svg) {
  return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
}

/** What fills the memory of a GPU, as far as its scale goes. */
function bar(report) {
  const {limit, end, pieces} = filling(report), x = bytes => bytes / end * WIDTH;
  const colour = ({part, beyond}) => data.colours[beyond ? "danger-fill" : part === "free" ? "sunken" : part][0];
  const rects = pieces.map(each =>
    `<rect x="${x(each.from)}" y="3" width="${x(each.to) - x(each.from)}" height="${HEIGHT - 6}" fill="${colour(each)}"/>`);
  const line = `<line x1="${x(limit)}" x2="${x(limit)}" y1="0" y2="${HEIGHT}" stroke="#000" stroke-width="2"/>`;
  return picture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${rects.join("")}${line}</svg>`);
}

function classed(name, node) { return Object.assign(node, {className: name}); }

/**
 * Make that page whenever somebody prints, and take it away afterwards; gives what ends that.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param {() => string} link of this state
 * @param {() => any} pinned what is, if something is
 */
export function summary(root, store, link, pinned) {
  const text = selector => root.querySelector(selector)?.textContent.trim() ?? "";
  let made = null;

  /** The chart that is open, be it drawn; else the widget's. */
  function chart() {
    const panels = all(root, "[data-chart]"), open = panels.filter(each => each.checkVisibility());
    const widgets = panels.filter(each => !each.hidden && each.closest(".charts"));
    return [...open, ...widgets].map(each => chartSvg(each, captionOf(store))).find(Boolean);
  }

  function numbers() {
    return all(root, ".readout").filter(each => !each.closest("[hidden]")).map(each => {
      const part = selector => each.querySelector(selector).textContent.trim();
      return element("li", part("h2"), element("b", part(".value")), element("small", part(".sub")));
    });
  }

  function make() {
    drop();
    const svg = chart(), rows = summaryRows(store, pinned());
    made = classed("printed", element("article",
      element("h1", text(".top h1") || "Decode arithmetic"),
      element("p", captionOf(store)),
      element("h2", `${text("[data-text=meter]")}, ${text("[data-text=room]")}`),
      bar(store.report),
      element("p", all(root, ".meter .legend li:not([hidden])").map(each => each.textContent).filter(Boolean).join(" · ")),
      classed("printed-numbers", element("ul", ...numbers())),
      classed("printed-said", element("p", text("[data-text=lead]"), text("[data-text=rest]") && ` ${text("[data-text=rest]")}`)),
      ...svg ? [picture(svg)] : [],
      element("dl", ...rows.flatMap(([head, said]) => [element("dt", head), element("dd", said)]),
        element("dt", "Link"), element("dd", link())),
    ));
    made.role = "main";
    document.body.append(made);
  }

  function drop() {
    made?.remove();
  }

  addEventListener("beforeprint", make);
  addEventListener("afterprint", drop);
  return () => {
    drop();
    removeEventListener("beforeprint", make);
    removeEventListener("afterprint", drop);
  };
}
