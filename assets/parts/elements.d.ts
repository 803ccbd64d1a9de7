// What a selector finds on the page is an element of HTML, and so is where an event comes from.
interface ParentNode {
  querySelector<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag];
  querySelector(selectors: string): HTMLElement;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface EventTarget {
  closest(selectors: string): HTMLElement;
  classList: DOMTokenList;
}
interface Element {
  closest(selectors: string): HTMLElement;
}
interface CSSStyleDeclaration {
  setProperty(property: string, value: string | number | null, priority?: string): void;
}

// What the libraries bring, and what they look for.
declare var Bokeh: any;
declare var importShim: any;
