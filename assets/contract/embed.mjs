// <decode-arithmetic context="32768" gqa="1" lock="params_b" show="meter,readouts">
// Attributes are the keys of the page's address. One frame each, made when it comes near.
//
// Exported with all that it imports as one classic script, embed.js: a lesson needs no more than
// one tag, which works from disk and in a sandbox too. There browsers refuse module files, and
// the page is the single file.
import {TO_FRAME} from "../built/contract.mjs";
import {Client, TITLE} from "./client.mjs";

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const here = new URL(self.origin === "null" ? "page.html" : "index.html", script.src);
const OWN = new Set(["id", "class", "style", "title", "slot", "hidden", "lang", "dir", "src", "height"]);
const PICTURE = "{picture}";

class DecodeArithmetic extends HTMLElement {
  connectedCallback() {
    if (this.client) return;
    const page = new URL(this.getAttribute("src") ?? here, document.baseURI);
    for (const {name, value} of this.attributes) {
      if (!OWN.has(name) && !name.startsWith("data-") && !name.startsWith("on")) page.searchParams.set(name, value);
    }
    const plain = ![...page.searchParams].length;
    const {frame} = this.client = new Client(message => {
      if (message.type === "ready") frame.style.background = "";
      this.dispatchEvent(new CustomEvent(message.type, {detail: message}));
    }, this.getAttribute("height"));
    frame.title = this.getAttribute("title") ?? TITLE;
    frame.loading = "lazy";
    frame.allow = "clipboard-write";
    frame.style.colorScheme = "normal";
    if (plain) frame.style.background = `url("${PICTURE}") top center / min(100%, 1280px) auto no-repeat`;
    frame.src = page.href;
    this.style.display ||= "block";
    this.append(frame);
  }

  disconnectedCallback() {
    this.client?.close();
    this.client = null;
  }
}

// What can be said to the page are the element's methods: setState({batch: 64}), getState(), reset().
for (const [type, fields] of Object.entries(TO_FRAME)) {
  DecodeArithmetic.prototype[type] = function say(...values) {
    this.client?.say(type, Object.fromEntries(fields.map((field, i) => [field, values[i]])));
  };
}

if (!customElements.get("decode-arithmetic")) customElements.define("decode-arithmetic", DecodeArithmetic);
