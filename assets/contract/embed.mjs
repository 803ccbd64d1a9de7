// <decode-arithmetic context="32768" gqa="1" lock="params_b" show="meter,readouts">
// Attributes are the keys of the page's address. One frame each, made when it comes near.
//
// Exported with all that it imports as one classic script, embed.js: a lesson needs no more than
// one tag, which works from disk and in a sandbox too. There browsers refuse module files, and
// the page is the single file.
import {TO_FRAME} from "../built/contract.mjs";
import {shortened} from "../core/text.mjs";
import {Client, HIGHEST, TITLE} from "./client.mjs";

// Of the document itself: an image of this name would stand in for the script. A module has none.
const current = Object.getOwnPropertyDescriptor(Document.prototype, "currentScript");
const here = addressOf(self.origin === "null" ? "page.html" : "index.html", current?.get?.call(document)?.src);
const PICTURE = "{picture}";

/** So much of what is said before the page can hear it is kept. */
const MOST_WAITING = 100;

/** What HTML knows by itself is no key: attributes of any element, or of a frame. */
const HTML = new Set(["class", "is", "exportparts", "itemscope", "itemtype", "itemid", "itemprop", "itemref"]);
// These are read; what else stands there are methods, a lesson's own library's among them.
for (let of = HTMLIFrameElement.prototype; of; of = Object.getPrototypeOf(of)) {
  for (const [name, {get}] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
    if (get) HTML.add(name.toLowerCase());
  }
}

/**
 * An address that a frame may show, or undefined.
 * @param {string} text
 * @param {string} [base]
 */
function addressOf(text, base) {
  try {
    const address = new URL(text, base);
    return /^(https?|file):$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
}

class DecodeArithmetic extends HTMLElement {
  hears = false;   // whether the page does
  /** What is said until then. @type {[type: string, content: Record<string, unknown>][]} */
  waiting = [];
  /** @type {Client | null} */
  client = null;

  connectedCallback() {
    if (this.client) return;
    const src = this.getAttribute("src"), height = this.getAttribute("height");
    const address = src === null ? here && new URL(here) : addressOf(src, this.baseURI);
    if (!address) {
      this.textContent = this.warn(src === null
        ? "where the page is, embed.js knows from a script tag with src and without type=module; or give this element a src"
        : `src="${shortened(src)}" is no address of http, https or file`);
      return;
    }
    const pixels = Number(/^(\d+)(px)?$/.exec(height ?? "")?.[1]);
    const fixed = pixels >= 1 && pixels <= HIGHEST;
    if (height !== null && !fixed) {
      this.warn(`height="${shortened(height)}" is no number of pixels from 1 to ${HIGHEST}: the frame follows its content`);
    }
    for (const {name, value} of this.attributes) {
      if (!HTML.has(name) && !/^on|[-:]/.test(name)) address.searchParams.set(name, value);
    }
    const plain = ![...address.searchParams].length;
    const client = this.client = new Client(message => {
      if (message.type === "ready") {
        client.frame.style.background = "";
        this.hears = true;
        for (const message of this.waiting.splice(0)) client.say(...message);
      }
      this.dispatchEvent(new CustomEvent(message.type, {detail: message}));
    }, fixed ? pixels : undefined);
    const {frame} = client;
    frame.title = this.getAttribute("title") ?? TITLE;
    frame.loading = "lazy";
    frame.allow = "clipboard-write";
    frame.style.colorScheme = "normal";
    if (plain) frame.style.background = `url("${PICTURE}") top center / min(100%, 1280px) auto no-repeat`;
    frame.src = address.href;
    this.style.display ||= "block";
    // A copy of an element, as editors make them, brings the frame that was in it.
    for (const copied of this.querySelectorAll(":scope > iframe")) copied.remove();
    this.append(frame);
  }

  /**
   * Says what is wrong, for whoever wrote the lesson.
   * @param {string} text
   */
  warn(text) {
    const warning = `<decode-arithmetic>: ${text}.`;
    console.warn(warning);
    return warning;
  }

  disconnectedCallback() {
    this.client?.close();
    this.client = null;
    this.hears = false;
  }
}

// What can be said to the page are the element's methods: setState({batch: 64}), getState(), reset().
for (const [type, fields] of Object.entries(TO_FRAME)) {
  Object.assign(DecodeArithmetic.prototype, {
    /**
     * @this {DecodeArithmetic}
     * @param {unknown[]} values
     */
    [type](...values) {
      const content = Object.fromEntries(fields.map((field, i) => [field, values[i]]));
      if (this.hears) return void this.client?.say(type, content);
      this.waiting.push([type, content]);
      this.waiting.splice(0, this.waiting.length - MOST_WAITING);
    },
  });
}

if (!customElements.get("decode-arithmetic")) customElements.define("decode-arithmetic", DecodeArithmetic);
