// The big numbers, rounded for reading; every digit for those who point at one.
import {quantities} from "../built/arithmetic.mjs";
import {exact} from "../core/words/format.mjs";
import {quantityOf, readouts as texts} from "../core/words/readouts.mjs";
import {all, slots} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function readouts(root) {
  const write = slots(root);
  let shown = null;
  let pointed = null;   // the readout under the pointer

  root.addEventListener("pointerover", event => {
    pointed = event.target.closest("[data-readout]");
    tell();
  });
  root.addEventListener("pointerleave", () => { pointed = null; });

  function tell() {
    if (!pointed) return;
    const name = quantityOf(pointed.dataset.readout, shown);
    pointed.querySelector(".number").title = exact(shown[name], quantities[name][1]);
  }

  return {
    show({state, report}) {
      shown = report;
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
