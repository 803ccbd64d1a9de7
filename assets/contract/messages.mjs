// Talking with the page around the frame: plain objects, to and from one origin only.
import {SOURCE, VERSION} from "../built/contract.mjs";
import {inputsOf, scenarioOf} from "../core/scenario.mjs";

export const embedded = window.parent !== window;

/** The origin of the page around, or "null" where it has none that can be named. */
function parentOrigin() {
  const around = location.ancestorOrigins?.[0] ?? document.referrer;
  return /^https?:/.test(around) ? new URL(around).origin : "null";
}

export class Messages {
  /**
   * @param {string} origin
   * @param {Record<"setState" | "getState" | "reset", Function>} page what a host may ask for
   */
  constructor(origin, page) {
    if (!embedded) return;
    this.origin = origin || parentOrigin();
    addEventListener("message", event => this.hear(event, page));
    new ResizeObserver(() => this.resize()).observe(document.body);
  }

  hear(event, page) {
    if (event.source !== window.parent) return;
    if (this.origin !== "null" && event.origin !== this.origin) return;
    const {source, version, type, scenario} = Object(event.data);
    if (source !== SOURCE || version !== VERSION) return;
    try {
      if (type === "setState") page.setState(inputsOf(scenario));
      else if (type === "reset") page.reset();
      else if (type === "getState") this.state(page.getState());
    } catch (error) {
      this.say("error", {message: error.message});
    }
  }

  say(type, content = {}) {
    if (!embedded) return;
    this.post({source: SOURCE, version: VERSION, type, ...content});
  }

  state(state) {
    this.say("state", {scenario: scenarioOf(state)});
  }

  resize() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === this.height) return;
    this.height = height;
    this.say("resize", {height});
    // Learning management systems listen for this one, as a text.
    this.post(JSON.stringify({subject: "lti.frameResize", height}));
  }

  post(message) {
    window.parent.postMessage(message, this.origin === "null" ? "*" : this.origin);
  }
}
