// Talking with the page around the frame: plain objects, to and from one origin only.
import {SOURCE, TO_FRAME, VERSION} from "../built/contract.mjs";
/** @import {FROM_FRAME} from "../built/contract.mjs" */

export const embedded = window.parent !== window;

/** The origin of the page around, or "null" where it has none that can be named. */
function parentOrigin() {
  const around = location.ancestorOrigins?.[0] ?? document.referrer;
  return /^https?:/.test(around) ? new URL(around).origin : "null";
}

export class Messages {
  /**
   * @param {string} origin
   * @param {Record<keyof typeof TO_FRAME, Function>} answers what is done for each message, with
   *   its fields; what is thrown is told the page around
   */
  constructor(origin, answers) {
    const silent = Object.keys(TO_FRAME).filter(type => !Object.hasOwn(answers, type));
    if (silent.length) throw new Error(`nothing is done for the message ${silent.join(", ")}`);
    this.origin = origin || parentOrigin();
    this.height = NaN;   // as it was told last
    if (!embedded) return;
    addEventListener("message", event => this.hear(event, answers));
    new ResizeObserver(() => this.resize()).observe(document.body);
  }

  /**
   * @param {MessageEvent} event
   * @param {Record<string, Function>} answers
   */
  async hear(event, answers) {
    if (event.source !== window.parent) return;
    if (this.origin !== "null" && event.origin !== this.origin) return;
    const message = Object(event.data), {source, version, type} = message;
    if (source !== SOURCE || version !== VERSION) return;
    if (typeof type !== "string" || !Object.hasOwn(TO_FRAME, type)) return;
    try {
      const fields = TO_FRAME[/** @type {keyof typeof TO_FRAME} */ (type)];
      await answers[type](...fields.map(field => message[field]));
    } catch (error) {
      this.say("error", {message: error.message});
    }
  }

  /**
   * @param {keyof typeof FROM_FRAME} type
   * @param {Record<string, unknown>} [content]
   */
  say(type, content = {}) {
    if (!embedded) return;
    this.post({source: SOURCE, version: VERSION, type, ...content});
  }

  resize() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === this.height) return;
    this.height = height;
    this.say("resize", {height});
    // Learning management systems listen for this one, as a text.
    this.post(JSON.stringify({subject: "lti.frameResize", height}));
  }

  /** @param {unknown} message */
  post(message) {
    window.parent.postMessage(message, this.origin === "null" ? "*" : this.origin);
  }
}
