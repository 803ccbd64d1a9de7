// The browser's address bar, where the page may write to it: the page's query follows when there is
// a pause, and Back leads to where one was.

/** When nothing has changed for so long, the query follows. [ms] */
const PAUSE_MS = 150;

/**
 * The query that the page was first opened with: a reload, or the browser's Back to the lesson
 * around, opens a frame as it was left.
 */
export const first = String(history.state?.first ?? location.search);

export class AddressBar {
  #pause = 0;
  #search = location.search;   // as it was written last

  /**
   * @param {() => string} query of the page as it is
   * @param {() => void} publish is called after each pause, too
   * @param {(search: string) => void} visit is called with a query that the browser leads to
   */
  constructor(query, publish, visit) {
    this.query = query;
    this.publish = publish;
    addEventListener("popstate", () => {
      // Only what stands behind the # may have changed, which is nothing of ours.
      if (location.search === this.#search) return;
      this.#search = location.search;
      visit(this.#search);
    });
  }

  /** Write the query, and publish, once there is a pause. */
  follow() {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      this.#write("replaceState");
      this.publish();
    }, PAUSE_MS);
  }

  /** Write it now, so that the browser's Back leads to where one was. */
  leave() {
    this.#write("pushState");
  }

  /** The whole address, or undefined where the page has none of its own. */
  get link() {
    return /^(https?|file):$/.test(location.protocol)
      ? new URL(location.pathname + this.query(), location.href).href : undefined;
  }

  #write(how) {
    const address = location.pathname + this.query() + location.hash;
    if (address !== location.pathname + location.search + location.hash) {
      try {
        history[how]({first}, "", address);
      } catch {
        // A sandboxed frame or a file may not have an address of its own.
      }
    }
    this.#search = location.search;
  }
}
