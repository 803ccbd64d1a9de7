// All questions with what came of each: as a list that opens, and as the summary at the end.
import {MARKS, name, outcome, remark, report, rest, stepsText} from "../../core/words/run.mjs";
import {result, standing} from "../../core/run.mjs";
import {element} from "../dom.mjs";

const MEANINGS = {right: "right at first", wrong: "wrong at first", held: "locked in", open: "not answered"};

/** The list; `go` is told which question is pressed. */
export function questions(root, go) {
  const popover = root.closest("[popover]");
  // Opened, it begins where one is.
  popover.addEventListener("toggle", ({newState}) => {
    if (newState === "open") root.querySelector("[aria-current]").focus();
  });

  return {
    show(items, run, at) {
      let chapter = "";
      root.replaceChildren(...items.flatMap((item, i) => {
        const heading = item.chapter === chapter ? [] : [element("li", item.chapter)];
        chapter = item.chapter;
        if (heading.length) heading[0].className = "chapter";
        return [...heading, line(items, run, item, i === at, go)];
      }));
    },
  };
}

function line(items, run, item, isHere, go) {
  const how = standing(items, run, item), steps = stepsText(item, run);
  const sign = element("i", MARKS[how]), button = element("button", sign, `${name(item)} `, element("small", steps));
  button.setAttribute("aria-label", `${`${name(item)} ${steps}`.trim()}, ${MEANINGS[how]}`);
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
      const {again, unfinished, more} = result(items, run);
      whole = report(items, run);
      copy.textContent = "Copy as text";
      text.hidden = true;
      root.querySelector(".outcome").textContent = `${outcome(items, run)}.`;
      root.querySelector(".again-head").hidden = !again.length;
      root.querySelector(".unfinished-head").hidden = !unfinished.length;
      root.querySelector(".further-head").hidden = !more.length;
      root.querySelector(".left").textContent = rest(items, run);
      const link = (item, text) => {
        const button = Object.assign(element("button", name(item)), {type: "button", className: "quiet link"});
        button.addEventListener("click", () => go(item.id));
        return element("li", button, element("span", text));
      };
      root.querySelector(".again").replaceChildren(...again.map(item => link(item, remark(items, run, item))));
      root.querySelector(".unfinished").replaceChildren(...unfinished.map(item => link(item, stepsText(item, run))));
      root.querySelector(".further").replaceChildren(...more.map(item => link(item, "")));
    },
    focus() {
      root.querySelector(".outcome").focus();
    },
  };
}
