// The page's views: the widget, and the one that stands over it. A view comes when it is asked for.

/** What is said where it cannot be fetched. */
const UNREACHED = "This part of the page did not come. Press again when you are online, or reload the page.";

const VIEWS = {
  widget: () => import("./views/widget.mjs"),
  exercises: () => import("./views/exercises.mjs"),
  lab: () => import("./views/lab.mjs"),
  explorer: () => import("./views/explorer.mjs"),
};

/**
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around a view: `choose` changes settings, `say` tells the page around a frame,
 *   `embed` puts figures into their places
 */
export async function views(root, store, shell) {
  const {view} = await VIEWS.widget();
  const widget = view(root.querySelector("main"), store);
  let current = "widget", over = null;   // its name, and the view over the widget, if there is one
  let last = 0;                          // how often one was asked for
  const kept = {own: null};              // what stays while the page is open

  /** The module of a view, or null where it cannot be fetched. */
  const load = name => VIEWS[name]().catch(() => null);

  /** Back to the widget, as the reader has left it. */
  function close() {
    over?.close();
    over = null;
    current = "widget";
  }

  return {
    widget,

    get current() { return current; },

    /** The state that the reader has left for one that a view shows, if they have. */
    get left() { return over?.left; },

    /** Whether nothing of the widget can be moved at present. */
    get isLocked() { return over?.isLocked ?? false; },

    /** What a link to the page as it is does not hold, in a sentence; or "". */
    get unshared() { return over?.unshared ?? ""; },

    close,

    /**
     * Show the view that the settings ask for, or else the widget; gives notes on what it cannot
     * open, or nothing where a view was asked for meanwhile, for only the last call counts.
     */
    async open(settings) {
      const call = ++last;
      close();
      current = settings.view;
      const module = await load(current);
      if (call !== last) return undefined;
      if (!module) {
        current = "widget";
        return [UNREACHED];
      }
      if (current === "widget") return [];
      over = module.view(root, store, {...shell, load, kept});
      return over.open(settings);
    },

    /** Show all as the page is to be shown. */
    present(look) {
      widget.present(look);
      over?.present(look);
    },

    /** Lead the keyboard to where the view begins. */
    focus() {
      (over ?? widget).focus();
    },
  };
}
