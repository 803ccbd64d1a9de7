// All questions with what came of each: as a list that opens, and as the summary at the end.
import {name, outcome, remark, report} from "../core/words/exercise.mjs";
import {result} from "../core/exercise.mjs";
import {element} from "./dom.mjs";

const MARKS = {right: ["✓", "right at first"], wrong: ["✗", "wrong at first"], open: ["–", "not answered"]};

/** The list; `go` is told which question is pressed. */
export function questions(root, go) {
  // Opened, it begins where one is.
  root.closest("[popover]").addEventListener("toggle", ({newState}) => {
    if (newState === "open") root.querySelector("[aria-current]").focus();
  });

  return {
    show(items, run, at) {
      let chapter = "";
      root.replaceChildren(...items.flatMap((item, i) => {
        const heading = item.chapter === chapter ? [] : [element("li", item.chapter)];
        chapter = item.chapter;
        if (heading.length) heading[0].className = "chapter";
        return [...heading, line(item, run, i === at, go)];
      }));
    },
  };
}

function line(item, run, isHere, go) {
  const answer = run.answers[item.id];
  const how = !answer ? "open" : answer.isRight ? "right" : "wrong", [mark, means] = MARKS[how];
  const sign = element("i", mark), button = element("button", sign, name(item));
  button.setAttribute("aria-label", `${name(item)}, ${means}`);
  sign.className = how;
  Object.assign(button, {type: "button", className: "quiet"});
  if (isHere) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => go(item.id));
  return element("li", button);
}

/** The summary, with a button that copies it as text. */
export function summary(root, go) {
  const copy = root.querySelector(".copy"), text = root.querySelector("textarea");
  let whole = "";

  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(whole);
      copy.textContent = "Copied";
    } catch {
      // No clipboard in a frame without permission: to be copied by hand.
      text.value = whole;
      text.hidden = false;
      text.select();
    }
  });

  return {
    show(items, run) {
      const {again} = result(items, run);
      whole = report(items, run);
      copy.textContent = "Copy as text";
      text.hidden = true;
      root.querySelector(".outcome").textContent = `${outcome(items, run)}.`;
      root.querySelector(".again-head").hidden = !again.length;
      const left = items.filter(({id}) => !run.answers[id]);
      root.querySelector(".left").textContent = left.length ? `${left.length} not answered yet.` : "";
      root.querySelector(".again").replaceChildren(...again.map(item => {
        const button = Object.assign(element("button", name(item)), {type: "button", className: "quiet link"});
        button.addEventListener("click", () => go(item.id));
        return element("li", button, element("span", remark(item, run)));
      }));
    },
    focus() {
      root.querySelector(".outcome").focus();
    },
  };
}
