// A veil: what is under it is not on the page at all, so that it is neither seen, read out nor found.
import {all, element} from "../dom.mjs";

/** What would tell any of the numbers. */
const ALWAYS = ['.sentence', '.formula-toggle', '.formula', '[data-text="hint_output"]'];

const WORDS = "after your prediction";

/** Lays veils over a page, and lifts them. */
export function veils(root) {
  const lifts = [];

  function put(selector, face) {
    for (const under of all(root, selector)) lifts.unshift(veil(under, ...face(under)));
  }

  function lift() {
    for (const each of lifts.splice(0)) each();
  }

  return {
    /** Numbers and parts by name, and whatever else would tell them. */
    lay(names) {
      lift();
      const words = () => element("p", WORDS);
      for (const name of names) {
        put(`.meter:is([data-part="${name}"])`, () => [element("h2", "GPU memory"), words()]);
        put(`[data-chart="${name}"]`, () => [words()]);
        put(`[data-readout="${name}"]`, under => [element("h2", under.querySelector("h2").textContent), words()]);
      }
      for (const selector of ALWAYS) put(selector, () => selector === ".sentence" ? [words()] : []);
    },
    lift,
  };
}

/** What the one in its place keeps of an element: how it lies on the page, and whether it is there. */
const KEPT = ["id", "class", "data-part", "role", "aria-label", "aria-labelledby", "hidden"];

/**
 * Take an element out of the page until the veil is lifted; gives what lifts it. In its place
 * stands an empty one with these children, or nothing.
 */
function veil(under, ...children) {
  const over = children.length ? place(under, children) : new Comment();
  // Bokeh looks its figures' places up in the page, also while they are not to be seen.
  const figures = all(under, ".figure").map(figure => {
    const mark = new Comment();
    figure.replaceWith(mark);
    if (children.length) over.append(figure);
    return {figure, mark};
  });
  under.replaceWith(over);
  // Which of the charts is chosen goes on to be said to the one that is under the veil.
  const follow = new MutationObserver(() => { over.hidden = under.hidden; });
  follow.observe(under, {attributeFilter: ["hidden"]});
  return () => {
    follow.disconnect();
    under.hidden = over.hidden ?? under.hidden;
    over.replaceWith(under);
    for (const {figure, mark} of figures) mark.replaceWith(figure);
  };
}

function place(under, children) {
  const copy = element(under.localName, ...children);
  for (const name of KEPT) if (under.hasAttribute(name)) copy.setAttribute(name, under.getAttribute(name));
  copy.classList.remove("over");   // of a meter it says that a state does not fit
  copy.classList.add("veiled");
  return copy;
}
