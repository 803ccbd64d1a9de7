// The big numbers, rounded for reading; every digit for those who point at one.
import {quantities} from "../built/arithmetic.mjs";
import {exact} from "../core/format.mjs";
import {quantityOf, readouts as texts} from "../core/readouts.mjs";
import {all, slots} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function readouts(root) {
  const write = slots(root);
  let shown = null;

  root.addEventListener("pointerover", event => {
    const readout = event.target.closest("[data-readout]");
    if (!readout) return;
    const name = quantityOf(readout.dataset.readout, shown);
    readout.querySelector(".number").title = exact(shown[name], quantities[name][1]);
  });

  return {
    show({state, report}) {
      shown = report;
      write(texts(state, report));
    },

    /** What has come to rest has its terms marked. */
    settle(store) {
      this.show(store);
      for (const each of all(root, ".sub")) mark(each);
    },
  };
}
