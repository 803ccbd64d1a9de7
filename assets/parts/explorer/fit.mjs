// The GPUs that serve so many users at such a speed, by price; and what the present ones serve.
import {fits, served} from "../../core/explorer/fit.mjs";
import {HEADS, SERVED_HEADS, cells, gpusOf, sentence, servedCells} from "../../core/words/fit.mjs";
import {scenarioBar} from "../../core/words/scenario_bar.mjs";
import {element, put, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {arrange, fillRow, headedRow} from "../table.mjs";

function heads(table, texts) {
  table.querySelector("thead").replaceChildren(element("tr", ...texts.map(text => element("th", text))));
}

export function fit(root, store) {
  const [cards, contexts] = root.querySelectorAll("table");
  const write = slots(root);
  const rows = new Map();   // by their cards
  let settings = {}, found = [], wasLocked = false;

  heads(cards, HEADS);
  heads(contexts, SERVED_HEADS);

  function take(gpu) {
    const wrong = store.goTo(found.find(each => each.gpu === gpu).state, "set");
    if (wrong) note(root, wrong);
    store.settle();
  }

  /** A card's row: its button, then what it comes to. */
  function rowOf(gpu) {
    if (!rows.has(gpu)) {
      const button = Object.assign(element("button", ""), {type: "button"});
      button.addEventListener("click", () => take(gpu));
      rows.set(gpu, {button, line: headedRow(button, ...HEADS.slice(1).map(() => ""))});
    }
    return rows.get(gpu);
  }

  function showCards(isLocked) {
    for (const each of found) {
      const {button, line} = rowOf(each.gpu);
      put(button, gpusOf(each));
      button.disabled = isLocked;
      fillRow(line, cells(each));
    }
    arrange(cards.tBodies[0], found.map(({gpu}) => rows.get(gpu).line));
  }

  return {
    show({state, report, lock}) {
      const users = Number(settings.users), speed = Number(settings.speed);
      const next = fits(state, users, speed), isLocked = ["gpu", "gpus", "batch"].some(key => lock.includes(key));
      if (next !== found || isLocked !== wasLocked) {
        [found, wasLocked] = [next, isLocked];
        showCards(isLocked);
      }
      contexts.tBodies[0].replaceChildren(...served(state).map(each => headedRow(...servedCells(each))));
      write({said: sentence(found, state, report, users, speed), box: scenarioBar(state, report, false).hardware});
    },
    present(look) {
      ({settings} = look);
    },
  };
}
