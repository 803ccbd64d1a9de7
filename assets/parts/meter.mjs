// The memory meter: a Bokeh figure, and the page's own bar in its place until Bokeh is there. Taking
// turns with the charts it costs a drag no more than the bar did: 21 ms a move of 22, all painted.
import {filling} from "../core/meter.mjs";
import {meter as texts} from "../core/words/meter.mjs";
import {slots} from "./dom.mjs";
import {Plot} from "./plot.mjs";

/** Stripes beyond the limit run against those of the part beside. */
const STRIPES = {weights: "\\", kv: "/", draft: "\\", reserve: "/"};

/** How high the bar is; a line of one pixel runs inside of its edge. [px] */
const HEIGHT = 34;

/** All that the page's own bar has a piece for. */
const PIECES = ["weights", "kv", "draft", "reserve"].flatMap(part => [part, `${part}-beyond`]).concat("free");

export function meter(root) {
  const write = slots(root), face = root.querySelector(".bar"), figure = face.querySelector(".figure");
  const place = document.createElement("div");
  place.className = "meter-place";
  const limitPlace = root.querySelector(".limit");
  let plot = null, limitLine = null;
  let dark = false;

  /** By the page itself, in shares of the scale. */
  function lay({limit, end, pieces}) {
    const shares = Object.fromEntries(["limit", ...PIECES].map(name => [name, 0]));
    shares.limit = limit / end;
    for (const {part, beyond, from, to} of pieces) {
      shares[beyond ? `${part}-beyond` : part] = (to - from) / end;
    }
    shares.used = pieces.at(-1).to / end;
    for (const [name, share] of Object.entries(shares)) root.style.setProperty(`--${name}-share`, share);
  }

  /** By Bokeh: plain parts, hatched ones, and those with round corners, the red frame among them. */
  function paint({limit, end, pieces}, fits) {
    plot.dark = dark;
    const row = ({from, to}, fill, line, width, stripe, pattern) => ({
      left: from, right: to, height: HEIGHT - width % 2, width, pattern,
      ...Object.fromEntries(Object.entries({fill, line, stripe}).map(([place, token]) =>
        [place, token ? plot.colour(token) : "transparent"])),
    });
    const rows = {plain: [], hatched: [], rounded: []};
    for (const each of pieces) {
      if (each.beyond) rows.hatched.push(row(each, "danger-fill", "card", 2, each.part, STRIPES[each.part]));
      else if (each.part === "reserve") rows.hatched.push(row(each, "card", "card", 0, "reserve", "/"));
      else if (each.part === "weights") rows.rounded.push(row(each, "weights", "", 0));
      else if (each.part === "free") rows.plain.push(row(each, "sunken", "control-line", 1));
      else rows.plain.push(row(each, each.part, "", 0));
    }
    if (!fits) rows.rounded.push(row({from: 0, to: pieces.at(-1).to}, "", "danger", 2));
    for (const [source, filled] of Object.entries(rows)) plot.fill(source, filled);
    plot.figure.x_range.setv({start: 0, end});
    limitLine.setv({location: limit, line_color: plot.colour("ink")});
  }

  function unpin() {
    root.classList.remove("pinned", "low");
    place.remove();
  }

  return {
    show({report}) {
      const {limit, end} = filling(report);
      write(texts(report));
      // On the limit's own line: the whole meter below a changed property is styled anew.
      limitPlace.style.setProperty("--limit-share", limit / end);
      root.classList.toggle("over", !report.fits);
    },

    /** The bar, which may follow the numbers a frame later. */
    draw({report}) {
      if (plot) paint(filling(report), report.fits);
      else lay(filling(report));
    },

    /** Bokeh's figure, once it is on the page. */
    connect(roots) {
      plot = new Plot(root, figure, roots.get(figure));
      limitLine = plot.figure.select_one("limit");
      // The page's own stands until Bokeh has drawn over it.
      requestAnimationFrame(() => requestAnimationFrame(() => face.replaceChildren(figure)));
    },

    /** In the colours of a theme. */
    present({theme}) {
      dark = theme === "dark";
    },

    /** What a screen reader says for the bar, which follows no move. */
    settle({report}) {
      const {meter, room} = texts(report);
      face.setAttribute("aria-label", `${meter}, ${room}`);
    },

    /**
     * Keep it in sight, small, until the pointer is let go; its place is kept. It lies in the half
     * of the screen in which the pointer is not, so that it never covers what is touched.
     */
    pin({clientY}) {
      const {top, height} = root.getBoundingClientRect();
      if (top >= 0) return;
      place.style.height = `${height}px`;
      root.before(place);
      root.classList.add("pinned");
      root.classList.toggle("low", clientY < innerHeight / 2);
      for (const end of ["pointerup", "pointercancel"]) {
        addEventListener(end, unpin, {capture: true, once: true});
      }
    },
  };
}
