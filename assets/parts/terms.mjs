// Terms of the field: a dotted line under a word, which opens its one sentence by click, tap,
// Enter or pointing at it. They are marked where a text stands still, never while it moves.
import data from "../built/data.mjs";
import {inLabel, inText} from "../core/words/terms.mjs";
import {all, element} from "./dom.mjs";

/** A text's nodes, its terms among them. */
function nodes(pieces) {
  return pieces.map(piece => typeof piece === "string" ? new Text(piece) : termButton(piece.text, piece.term));
}

/** A term as a button that wraps like a word. */
function termButton(text, {means}) {
  const button = Object.assign(element("span", text), {className: "term", tabIndex: 0});
  button.setAttribute("role", "button");
  button.setAttribute("aria-description", means);
  button.dataset.means = means;
  return button;
}

/** A term by its name, whatever stands around it. */
export function termNamed(name) {
  return termButton(name, data.terms.find(term => term.name === name));
}

/** Mark the terms of a text that has come to rest; whoever changes it puts its own node back. */
export function mark(place) {
  place.replaceChildren(...nodes(inText(place.textContent)));
}

export function terms(root) {
  const note = root.querySelector(".meaning"), list = root.querySelector(".glossary dl");
  let open = null, isPinned = false;   // the term whose sentence is shown; until it is dismissed

  for (const label of all(root, "[data-terms]")) {
    label.replaceChildren(...nodes(inLabel(label.textContent)));
    if (label.querySelector(".term")) label.removeAttribute("title");
  }
  list.append(...data.terms.flatMap(({name, means}) => [element("dt", name), element("dd", means)]));

  function show(term, keep) {
    [open, isPinned] = [term, keep];
    note.textContent = term.dataset.means;
    note.showPopover();
    const {left, top, bottom} = term.getBoundingClientRect(), {width, height} = note.getBoundingClientRect();
    const below = bottom + 6, above = top - height - 6;
    note.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`;
    note.style.top = `${below + height > innerHeight && above > 0 ? above : below}px`;
  }

  function hide() {
    if (open) note.hidePopover();
    open = null;
  }

  function press(term) {
    if (open === term && isPinned) hide();
    else show(term, true);
  }

  root.addEventListener("click", ({target}) => {
    const term = target.closest(".term");
    if (term) press(term);
    else if (!target.closest(".meaning")) hide();
  });
  root.addEventListener("keydown", event => {
    if (event.key === "Escape") hide();
    if (!["Enter", " "].includes(event.key) || !event.target.closest(".term")) return;
    event.preventDefault();
    press(event.target);
  });
  root.addEventListener("pointerover", ({target, pointerType}) => {
    if (pointerType !== "mouse" || isPinned && open) return;
    const term = target.closest(".term");
    if (term) show(term, false);
    else if (!target.closest(".meaning")) hide();
  });
  root.addEventListener("focusout", ({target}) => { if (target === open) hide(); });
  addEventListener("scroll", hide, {passive: true, capture: true});
}
