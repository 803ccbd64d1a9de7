// What an exercise shows once a prediction is locked in: the comparison, why, and what is left to
// the reader's own hand.
import {quantities} from "../built/arithmetic.mjs";
import data from "../built/data.mjs";
import {explanation, judgement} from "../core/exercise.mjs";
import {comparison, filled, replyText, verdict} from "../core/words/exercise.mjs";
import {element, paragraphs} from "./dom.mjs";
import {mark} from "./terms.mjs";

export function reveal(root, store) {
  const place = name => root.querySelector(`.${name}`);
  let tasks = [];   // each with its line, and whether it is done

  function show(exercise, {reply, last}) {
    const {isRight} = judgement(exercise, last);
    root.classList.toggle("right", isRight);
    place("asked").textContent = filled(exercise.question, exercise);
    place("verdict").textContent = verdict(exercise, last, isRight);
    place("first").textContent = String(reply) === String(last) ? "" : `At first you said ${replyText(exercise, reply)}.`;
    place("why").replaceChildren(
      ...explanation(exercise, last).flatMap(text => paragraphs(filled(text, exercise, last))));
    for (const each of place("why").children) mark(each);
    const rows = comparison(exercise, last);
    const caption = element("caption", quantities[exercise.prediction.metric][0]);
    place("compared").replaceChildren(caption, ...rows.map(({label, value, isReply}, i) => {
      const row = element("tr", element("th", label), element("td", value));
      row.firstChild.setAttribute("scope", "row");
      row.classList.toggle("best", i === 0);
      if (isReply) row.firstChild.append(" · yours");
      return row;
    }));
    place("compared").hidden = !rows.length;
    const term = data.terms.find(({name}) => name === exercise.term);
    place("turns-on").replaceChildren(...term ? [element("b", term.name), ` ${term.means}`] : []);
    tasks = exercise.tasks.map(task => ({...task, done: false, line: line(filled(task.say, exercise, last), task)}));
    place("tasks").replaceChildren(...tasks.map(({line}) => line));
    place("tasks-head").hidden = !tasks.length;
    tick();
  }

  function line(text, {reach}) {
    const button = Object.assign(element("button", "Show me"), {type: "button", className: "quiet"});
    button.addEventListener("click", () => store.set(reach));
    return element("li", element("span", text), button);
  }

  /** The first task that is not done yet is done where its inputs are reached. */
  function tick() {
    const next = tasks.find(({done}) => !done);
    if (next && Object.entries(next.reach).every(([key, value]) => store.state[key] === value)) next.done = true;
    const now = tasks.find(({done}) => !done), pressed = root.querySelector(".tasks .quiet:focus");
    for (const task of tasks) {
      const {line, done} = task, button = line.querySelector("button");
      line.classList.toggle("done", done);
      button.hidden = task !== now;
      line.firstChild.setAttribute("aria-label", `${done ? "Done: " : ""}${line.firstChild.textContent}`);
    }
    // The keyboard goes on to the next, or to where all of this began.
    if (pressed?.hidden) (now?.line.querySelector("button") ?? place("verdict")).focus();
  }

  store.addEventListener("change", tick);

  return {
    show,
    focus() {
      place("verdict").focus();
    },
    close() {
      store.removeEventListener("change", tick);
    },
  };
}
