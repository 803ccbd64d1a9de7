// The two shorthands for elements that several modules use.

export const all = selector => [...document.querySelectorAll(selector)];

/** An element with these children; texts are texts, never HTML. */
export function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}
