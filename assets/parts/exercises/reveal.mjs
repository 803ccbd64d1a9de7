// What an exercise shows once a prediction is locked in: the comparison, why, and what is left to
// the reader's own hand.
import {explanation, isReached, judgement, labAt, standsAt, stepsDone} from "../../core/exercise.mjs";
import {defaults} from "../../core/rules.mjs";
import {asked as askedFor, comparison, filled, replyText, verdict} from "../../core/words/exercise.mjs";
import {element, paragraphs} from "../dom.mjs";
import {note} from "../notes.mjs";
import {mark, termNamed} from "../terms.mjs";

/** `tell` is told which steps are done, whenever one more is; `bar` shows the open one; `below` may be the lab. */
export function reveal(root, store, tell, bar, below) {
  const place = name => root.querySelector(`.${name}`);
  let asked = null, done = [];   // the exercise, and which of its steps are done
  let lines = [], early = [];    // a line for each step; which of them were reached from the first
  const now = () => ({...store.state, ...below.settings});

  /** An answer, with the steps that are done; `more` is said beside the first prediction. */
  function show(exercise, {reply, last}, stepped, more) {
    const {isRight} = judgement(exercise, last);
    root.classList.toggle("right", isRight);
    place("asked").textContent = filled(exercise.question, exercise);
    place("verdict").textContent = verdict(exercise, last, isRight);
    const first = String(reply) === String(last) ? "" : `At first you said ${replyText(exercise, reply)}.`;
    place("first").textContent = [first, more].filter(Boolean).join(" ");
    place("why").replaceChildren(
      ...explanation(exercise, last).flatMap(text => paragraphs(filled(text, exercise, last))));
    for (const each of place("why").children) mark(each);
    const rows = comparison(exercise, last);
    const caption = element("caption", askedFor(exercise));
    place("compared").replaceChildren(caption, ...rows.map(({label, value, isReply}, i) => {
      const row = element("tr", element("th", label), element("td", value));
      row.firstChild.setAttribute("scope", "row");
      row.classList.toggle("best", i === 0);
      if (isReply) row.firstChild.append(" · yours");
      return row;
    }));
    place("compared").hidden = !rows.length;
    const {term} = exercise;
    place("turns-on").replaceChildren(...term ? ["The term behind the difference is ", termNamed(term), "."] : []);
    const {tasks, closed} = exercise;
    [asked, done] = [exercise, stepped];
    lines = tasks.map((task, i) => line(filled(task.say, exercise, last), i));
    early = tasks.map(task => isReached(task, now()));
    place("tasks").replaceChildren(...lines.filter((_, i) => !closed.includes(i)));
    place("tasks-head").hidden = closed.length === tasks.length;
    write();
  }

  function line(text, i) {
    const button = Object.assign(element("button", "Show me"), {type: "button", className: "quiet"});
    // With all that leads there: the sliders may be anywhere by now.
    button.addEventListener("click", () => {
      const steps = [...asked.tasks.keys()].slice(0, i + 1);
      const wrong = store.goTo({...defaults, ...standsAt(asked, steps)}, "set");
      if (wrong) note(root, wrong);
      store.settle();
      if (asked.lab) below.choose(labAt(asked, steps));
    });
    return element("li", element("span", text), element("small"), button);
  }

  /** A step asks for what the hand rests at, not for what it passes. */
  function tick() {
    if (!asked) return;
    const more = stepsDone(asked.tasks, done, now()), isMore = more.length > done.length;
    done = more;
    write();
    if (isMore) tell(done);
  }

  function write() {
    const next = lines.findIndex((_, i) => ![...asked.closed, ...done].includes(i)), pressed = root.querySelector(".tasks .quiet:focus");
    lines.forEach((line, i) => {
      const [text, note, button] = line.children, isDone = done.includes(i);
      line.classList.toggle("ticked", isDone);
      button.hidden = i !== next;
      // There already, but not by the way that the steps go.
      note.textContent = !isDone && !early[i] && isReached(asked.tasks[i], now()) ? "after the one above" : "";
      text.setAttribute("aria-label", `${isDone ? "Done: " : ""}${text.textContent}`);
    });
    const open = lines.length - asked.closed.length, left = lines.filter((_, i) => ![...asked.closed, ...done].includes(i)).length;
    bar.show(open - left, open, lines[next]?.firstChild.textContent);
    // The keyboard goes on to the next step, or to the next question.
    if (pressed?.hidden) (lines[next]?.lastChild ?? place("next")).focus();
  }

  /** A set-up of the page's own is no step. */
  const settled = () => { if (store.moved) tick(); };

  store.addEventListener("settle", settled);
  below.listen(tick);

  return {
    show,
    /** Another question is asked: the sliders do no steps of this one any more. */
    hide() {
      asked = null;
      bar.hide();
    },
    focus() {
      place("verdict").focus();
    },
    close() {
      store.removeEventListener("settle", settled);
      bar.close();
    },
  };
}
