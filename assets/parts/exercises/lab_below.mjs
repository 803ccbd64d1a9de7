// The batching lab below an answer: what was asked of beside what is right, to play on with.
import {defaultSettings} from "../../core/settings.mjs";
import {note} from "../notes.mjs";

/**
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around a view: `load` fetches a view's module, `embed` puts figures into their places
 */
export function labBelow(root, store, {load, embed}) {
  let lab = null, settings = null, look = {};
  let last = 0;   // how often it was asked for, or sent away
  let moved = () => {};   // hears of the reader's own changes

  function hide() {
    last++;
    lab?.close();
    lab = settings = null;
  }

  const show = () => lab?.present({...look, settings});

  /** Its settings are its own: the address keeps those that the reader has left. */
  function choose(changes) {
    settings = {...settings, ...changes};
    show();
    moved();
  }

  return {
    get settings() { return settings; },
    choose,
    listen(act) { moved = act; },

    /** With these settings, once it is here. */
    async show(asked) {
      hide();
      settings = {...defaultSettings, ...asked};
      const call = last, module = await load("lab");
      if (call !== last) return;
      if (!module) return void note(root, "The batching lab did not come. Press Next and Previous when you are online.");
      lab = module.view(root, store, {choose, embed});
      lab.open(settings);
      show();
    },
    hide,
    /** As the page is to be shown. */
    present(now) {
      look = now;
      show();
    },
  };
}
