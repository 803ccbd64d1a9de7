// <decode-arithmetic context="32768" gqa="1" lock="params_b" show="meter,readouts">
// Attributes are the keys of the page's address. One frame each, made when it comes near.
(() => {
  "use strict";
  // From disk and inside a sandbox, browsers refuse module files: there the single file serves.
  const name = self.origin === "null" ? "page.html" : "index.html";
  const here = new URL(name, /** @type {HTMLScriptElement} */ (document.currentScript).src);
  const OWN = new Set(["id", "class", "style", "title", "slot", "hidden", "lang", "dir", "src", "height"]);
  const PICTURE = "{picture}";

  class DecodeArithmetic extends HTMLElement {
    connectedCallback() {
      if (this.frame) return;
      const page = new URL(this.getAttribute("src") ?? here, document.baseURI);
      for (const {name, value} of this.attributes) {
        if (!OWN.has(name) && !name.startsWith("data-") && !name.startsWith("on")) page.searchParams.set(name, value);
      }
      const plain = ![...page.searchParams].length;
      const frame = this.frame = document.createElement("iframe");
      frame.title = this.getAttribute("title") ?? "Decode arithmetic, an interactive calculator";
      frame.loading = "lazy";
      frame.allow = "clipboard-write";
      Object.assign(frame.style, {width: "100%", border: "0", display: "block", colorScheme: "normal",
        height: `${this.getAttribute("height") ?? 800}px`});
      if (plain) frame.style.background = `url("${PICTURE}") top center / min(100%, 1280px) auto no-repeat`;
      frame.src = page.href;
      this.style.display ||= "block";
      this.hear = event => this.message(event);
      addEventListener("message", this.hear);
      this.append(frame);
    }

    disconnectedCallback() {
      removeEventListener("message", this.hear);
      this.frame?.remove();
      this.frame = null;
    }

    message({source, data}) {
      if (source !== this.frame?.contentWindow || data?.source !== "decode-arithmetic") return;
      if (data.type === "resize" && data.height > 0 && !this.hasAttribute("height")) {
        this.frame.style.height = `${Math.min(data.height, 20000)}px`;
      }
      if (data.type === "ready") this.frame.style.background = "";
      this.dispatchEvent(new CustomEvent(data.type, {detail: data}));
    }

    say(type, content) {
      this.frame?.contentWindow.postMessage({source: "decode-arithmetic", version: 1, type, ...content}, "*");
    }

    /** Set some inputs, such as {batch: 64}; "error" is dispatched where one is not allowed. */
    setState(scenario) { this.say("setState", {scenario}); }

    /** Ask for the scenario; it comes as a "state" event, whose detail has it. */
    getState() { this.say("getState"); }

    reset() { this.say("reset"); }
  }

  if (!customElements.get("decode-arithmetic")) customElements.define("decode-arithmetic", DecodeArithmetic);
})();
