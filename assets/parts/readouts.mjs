// The big numbers, rounded for reading; every digit for those who point at one.
import {quantities} from "../built/arithmetic.mjs";
import {exact} from "../core/words/format.mjs";
import {quantityOf, readouts as texts} from "../core/words/readouts.mjs";
import {all, slots} from "./dom.mjs";
import {Sight} from "./sight.mjs";
import {mark} from "./terms.mjs";

export function readouts(root) {
  const cards = all(root, ".readout").map(root => ({root, write: slots(root)}));
  const sight = new Sight(() => { if (latest) show(latest); });
  let latest = null;    // what the store has
  let readout = null;   // the readout under the pointer
  let pinned = null;    // what is compared with

  sight.watch(...cards.map(({root}) => root));
  root.addEventListener("pointerover", event => {
    readout = event.target.closest("[data-readout]");
    tell();
  });
  root.addEventListener("pointerleave", () => { readout = null; });

  function tell() {
    if (!readout) return;
    const {report} = latest, name = quantityOf(readout.dataset.readout, report);
    readout.querySelector(".number").title = exact(report[name], quantities[name][1]);
  }

  /** While a move goes on, those in sight. */
  function show({state, report, moving}) {
    latest = {state, report, moving};
    const words = texts(state, report, pinned?.report);
    for (const {root, write} of cards) {
      if (!moving || sight.has(root)) write(words);
    }
    tell();
  }

  return {
    show,

    present(look) {
      ({pinned} = look);
      root.classList.toggle("beside-a", pinned !== null);
    },

    /** What has come to rest has its terms marked. */
    settle(store) {
      show(store);
      for (const each of all(root, ".sub")) mark(each);
    },
  };
}
