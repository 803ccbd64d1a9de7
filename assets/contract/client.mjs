// The page in a frame, from outside: what a lesson or a notebook says to it, and hears from it.
import {FROM_FRAME, SOURCE, VERSION} from "../built/contract.mjs";

export const TITLE = "Decode arithmetic, an interactive calculator";

/** A frame is never higher. [px] */
export const HIGHEST = 20000;

/** A frame for the page, and what is said through it. */
export class Client {
  /**
   * @param {(message: Record<string, any>) => void} heard gets each message of the page
   * @param {number} [height] in px, if it is not to follow the page's content
   */
  constructor(heard, height) {
    const frame = this.frame = document.createElement("iframe");
    frame.title = TITLE;
    Object.assign(frame.style, {width: "100%", height: `${height ?? 800}px`, border: "0", display: "block"});
    /** @param {MessageEvent} event */
    this.hear = ({source, data}) => {
      if (source !== frame.contentWindow || data?.source !== SOURCE) return;
      if (data.version !== VERSION || !Object.hasOwn(FROM_FRAME, data.type)) return;
      if (data.type === "resize" && !height && typeof data.height === "number" && data.height > 0) {
        frame.style.height = `${Math.min(data.height, HIGHEST)}px`;
      }
      heard(data);
    };
    addEventListener("message", this.hear);
  }

  /**
   * Tell the page something: a type and its fields, as the table of messages has them.
   * @param {string} type
   * @param {Record<string, unknown>} [fields]
   */
  say(type, fields = {}) {
    this.frame.contentWindow?.postMessage({source: SOURCE, version: VERSION, type, ...fields}, "*");
  }

  close() {
    removeEventListener("message", this.hear);
    this.frame.remove();
  }
}
