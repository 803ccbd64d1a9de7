// The GPUs that serve so many users at such a speed, by price; and what the present ones serve.
import {fits, served} from "../../core/explorer/fit.mjs";
import {HEADS, SERVED_HEADS, cells, gpusOf, sentence, servedCells} from "../../core/words/fit.mjs";
import {scenarioBar} from "../../core/words/scenario_bar.mjs";
import {element, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {headedRow} from "../table.mjs";

function heads(table, texts) {
  table.querySelector("thead").replaceChildren(element("tr", ...texts.map(text => element("th", text))));
}

export function fit(root, store) {
  const [cards, contexts] = root.querySelectorAll("table");
  const write = slots(root);
  let settings = {};

  heads(cards, HEADS);
  heads(contexts, SERVED_HEADS);

  function take(found) {
    const wrong = store.open(found.state, "set");
    if (wrong) note(root, wrong);
    store.settle();
  }

  function button(found, isLocked) {
    const one = Object.assign(element("button", gpusOf(found)), {type: "button", disabled: isLocked});
    one.addEventListener("click", () => take(found));
    return one;
  }

  return {
    show({state, report, lock}) {
      const users = Number(settings.users), speed = Number(settings.speed);
      const found = fits(state, users, speed);
      const isLocked = ["gpu", "gpus", "batch"].some(key => lock.includes(key));
      cards.tBodies[0].replaceChildren(...found.map(each => headedRow(button(each, isLocked), ...cells(each))));
      contexts.tBodies[0].replaceChildren(...served(state).map(each => headedRow(...servedCells(each))));
      write({said: sentence(found, state, report, users, speed), box: scenarioBar(state, report, false).hardware});
    },
    present(look) {
      ({settings} = look);
    },
  };
}
