// Shorthands for elements that several parts use.

export const all = (root, selector) => [...root.querySelectorAll(selector)];

/** An element with these children; texts are texts, never HTML. */
export function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

/** Writes texts by name into the places below a root that have such a name. */
export function slots(root, places = "[data-text]") {
  // One text node each, changed in place: a new one would be laid out from scratch. Where terms
  // have been marked since, it comes back first.
  const nodes = new Map(all(root, places).map(place => {
    place.replaceChildren(place.textContent);
    return [place.dataset.text, {place, node: place.firstChild}];
  }));
  return texts => {
    for (const [name, {place, node}] of nodes) {
      if (!(name in texts) || node.data === texts[name]) continue;
      node.data = texts[name];
      if (node.parentNode !== place) place.replaceChildren(node);
    }
  };
}

/** Resolves when nothing else is to be done, at the latest after some time. [ms] */
export function idle(timeout) {
  const whenIdle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 50));
  return new Promise(done => { whenIdle(done, {timeout}); });
}
