// The big numbers, rounded for reading; every digit for those who point at one.
import {quantities} from "../built/arithmetic.mjs";
import {exact} from "../core/words/format.mjs";
import {quantityOf, readouts as texts} from "../core/words/readouts.mjs";
import {all, slots} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function readouts(root) {
  const write = slots(root);
  let latest = null;
  let readout = null;   // the readout under the pointer

  root.addEventListener("pointerover", event => {
    readout = event.target.closest("[data-readout]");
    tell();
  });
  root.addEventListener("pointerleave", () => { readout = null; });

  function tell() {
    if (!readout) return;
    const name = quantityOf(readout.dataset.readout, latest);
    readout.querySelector(".number").title = exact(latest[name], quantities[name][1]);
  }

  return {
    show({state, report}) {
      latest = report;
      write(texts(state, report));
      tell();
    },

    /** What has come to rest has its terms marked. */
    settle(store) {
      this.show(store);
      for (const each of all(root, ".sub")) mark(each);
    },
  };
}
