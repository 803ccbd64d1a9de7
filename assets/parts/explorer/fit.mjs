// The GPUs that serve so many users at such a speed, by price; and what the present ones serve.
import {fits, served} from "../../core/explorer/fit.mjs";
import {HEADS, SERVED_HEADS, cells, gpusOf, sentence, servedCells} from "../../core/words/fit.mjs";
import {scenarioBar} from "../../core/words/scenario_bar.mjs";
import {element, put, slots} from "../dom.mjs";
import {note} from "../notes.mjs";
import {fillRow, headedRow, ranking} from "../table.mjs";

/** What is said of a card that did it, and does so no more. */
const PAST = "does not do it now";

function heads(table, texts) {
  table.querySelector("thead").replaceChildren(element("tr", ...texts.map(text => element("th", text))));
}

export function fit(root, store) {
  const [cards, contexts] = root.querySelectorAll("table");
  const write = slots(root);
  const rows = new Map();   // by their cards
  const lines = ranking(cards.tBodies[0], showCards);
  let settings = {}, found = [];

  heads(cards, HEADS);
  heads(contexts, SERVED_HEADS);

  function take(gpu) {
    const one = found.find(each => each.gpu === gpu);
    const wrong = one ? store.choose(one.state, "set") : `${rows.get(gpu).button.textContent}: ${PAST}.`;
    if (wrong) note(root, wrong);
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

  function showCards() {
    for (const each of found) {
      const {button, line} = rowOf(each.gpu);
      put(button, gpusOf(each));
      fillRow(line, cells(each));
    }
    const left = lines.arrange(found.map(({gpu}) => rows.get(gpu).line));
    for (const line of left) fillRow(line, [PAST, ...HEADS.slice(2).map(() => "")]);
  }

  return {
    show({state, report}) {
      const users = Number(settings.users), speed = Number(settings.speed);
      const last = found;
      found = fits(state, users, speed);
      if (found !== last) showCards();
      for (const each of found) rows.get(each.gpu).button.disabled = store.lockComplaint(each.state) !== "";
      contexts.tBodies[0].replaceChildren(...served(state).map(each => headedRow(...servedCells(each))));
      write({said: sentence(found, state, report, users, speed), box: scenarioBar(state, report, false).hardware});
    },
    present(look) {
      ({settings} = look);
    },
  };
}
