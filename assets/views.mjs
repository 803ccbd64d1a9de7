// The page's views: the widget, and the one that stands over it. A view comes when it is asked for.

/** What is said where it cannot be fetched. */
const UNREACHED = "This part of the page did not come. Press again when you are online, or reload the page.";

const VIEWS = {
  widget: () => import("./views/widget.mjs"),
  exercises: () => import("./views/exercises.mjs"),
};

/**
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around a view: `choose` changes settings, `say` tells the page around a frame
 */
export async function views(root, store, shell) {
  const {view} = await VIEWS.widget();
  const widget = view(root.querySelector("main"), store);
  let current = "widget", over = null;   // its name, and the view over the widget, if there is one

  return {
    widget,

    get current() { return current; },

    /** The state that the reader has left for one that a view shows, if they have. */
    get left() { return over?.left; },

    /** Whether nothing of the widget can be moved at present. */
    get locked() { return over?.locked ?? false; },

    /** Show the view that the settings ask for, or else the widget; gives notes on what it cannot open. */
    async open(settings) {
      const name = settings.view;
      if (name !== current) {
        current = name;
        over?.close();
        over = null;
        const module = await VIEWS[name]().catch(() => null);
        if (current !== name) return [];   // another one was asked for meanwhile
        if (!module) {
          current = "widget";
          return [UNREACHED];
        }
        if (name !== "widget") over = module.view(root, store, shell);
      }
      return over?.open(settings) ?? [];
    },

    /** Lead the keyboard to where the view begins. */
    focus() {
      (over ?? widget).focus();
    },
  };
}
