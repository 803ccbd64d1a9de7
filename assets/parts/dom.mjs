// Shorthands for elements that several parts use.

export const all = (root, selector) => [...root.querySelectorAll(selector)];

/** An element with these children; texts are texts, never HTML. */
export function element(tag, ...children) {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}

/** A text in paragraphs, which stand apart in it by an empty line. */
export function paragraphs(text) {
  return text.split("\n\n").filter(Boolean).map(each => element("p", each));
}

/**
 * Writes texts by name into the places below a root that have such a name, where they change. Where
 * nothing is to be said an optional place is not there; a rule for :empty would have every text styled.
 */
export function slots(root, places = "[data-text]") {
  const present = new Map(all(root, places).map(place => [place, place.textContent]));
  return texts => {
    for (const [place, last] of present) {
      const text = texts[place.dataset.text];
      if (text === undefined || text === last) continue;
      present.set(place, text);
      put(place, text);
      if ("optional" in place.dataset && place.hidden === (text !== "")) place.hidden = text === "";
    }
  };
}

/** Another style sheet for the page; gives what takes it away again. */
export function adopt(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== sheet);
  };
}

/** Another text in a place. */
export function put(place, text) {
  const node = place.firstChild;
  // One text node, changed in place: a new one would be laid out from scratch. Where terms are
  // marked, or a translator or highlighter has been, there are others.
  if (node instanceof Text && node === place.lastChild) node.data = text;
  else place.replaceChildren(text);
}

/** Whether a key is Enter. While a character is composed it belongs to that; some browsers only
 * tell by the code. */
export function isEnter(event) {
  return event.key === "Enter" && !event.isComposing && event.keyCode !== 229;
}

/** Resolves when what is on the page by now has been painted. */
export function painted() {
  return new Promise(done => { requestAnimationFrame(() => setTimeout(done)); });
}

/** Resolves when nothing else is to be done, at the latest after some time. [ms] */
export function idle(timeout) {
  const whenIdle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 50));
  return new Promise(done => { whenIdle(done, {timeout}); });
}
