// The exercises: a question over the widget. What it asks for is under a veil until a prediction is
// locked in; then the page compares, explains, and the sliders are the reader's.
import course from "../built/exercises.mjs";
import {css, html} from "../built/exercises_face.mjs";
import {items as itemsOf, newRun, savedRun, withReply} from "../core/exercise.mjs";
import {defaults} from "../core/rules.mjs";
import {replyText, whereabouts} from "../core/words/exercise.mjs";
import {all, element} from "../parts/dom.mjs";
import {question} from "../parts/question.mjs";
import {questions, summary} from "../parts/questions.mjs";
import {reveal} from "../parts/reveal.mjs";
import {veil} from "../parts/veil.mjs";

/** Where progress is kept, if the reader wants that. */
const STORAGE_KEY = "decode-arithmetic exercises";

/** What would tell any of the numbers. */
const ALWAYS = ['.sentence', '.formula-toggle', '.formula', '[data-text="hint_output"]'];

const VEIL = "after your prediction";

/**
 * Put the exercises over the widget of a page.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around: `choose` changes settings, `say` tells the page around a frame
 */
export function view(root, store, {choose, say}) {
  const home = store.home, sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  const card = document.createRange().createContextualFragment(html).querySelector(".exercise");
  root.querySelector("main").prepend(card);
  const place = name => card.querySelector(`.${name}`);
  const faces = {asking: place("asking"), answered: place("answered"), summary: place("summary")};
  const form = question(faces.asking, lockIn), comparison = reveal(faces.answered, store);
  const list = questions(place("questions").querySelector("ol"), go), end = summary(faces.summary, go);
  const remember = place("keeping").querySelector("input");
  let run = storedRun() ?? newRun(Math.floor(Math.random() * 2 ** 32));
  let items = itemsOf(course, run.seed);
  let at = 0, since = 0;
  const lifts = [];   // what lifts the veils that lie on the page
  let isLocked = false;

  const press = (name, act) => place(name).addEventListener("click", act);
  press("previous", () => go(items[at - 1].id));
  press("skip-this", next);
  press("next", next);
  press("retry", () => { ask(); lead(form); });
  press("leave", () => choose({view: "widget", exercise: ""}));
  press("to-summary", () => { place("questions").hidePopover(); sum(); });
  press("restart", () => {
    run = newRun(run.seed + 1);
    items = itemsOf(course, run.seed);
    go(items[0].id);
  });
  remember.addEventListener("change", save);
  place("questions").addEventListener("beforetoggle", ({newState}) => newState === "open" && list.show(items, run, at));

  /** To a question by the reader's own hand. */
  function go(id) {
    place("questions").hidePopover();
    open(id);
    lead(isLocked ? form : comparison);
  }

  /** The keyboard, and the eye, to where it goes on. */
  function lead(to) {
    to.focus();
    if (card.getBoundingClientRect().top < 0) card.scrollIntoView();
  }

  function next() {
    if (at + 1 < items.length) go(items[at + 1].id);
    else sum();
  }

  function open(id) {
    at = Math.max(items.findIndex(each => each.id === id), 0);
    run = {...run, at: items[at].id};
    const answer = run.answers[run.at];
    if (answer) show(answer);
    else ask();
    save();
  }

  function ask() {
    face("asking", whereabouts(items, items[at]));
    form.show(items[at]);
    cover(items[at].veiled);
    stand("before");
    isLocked = true;
    since = performance.now();
    choose({exercise: items[at].id});
  }

  function lockIn(reply) {
    const item = items[at], first = run.answers[item.id];
    run = withReply(run, item, reply, Math.round((performance.now() - since) / 1000));
    const {isRight, seconds} = run.answers[item.id];
    if (!first) say("answer", {exercise: item.id, prediction: reply, correct: isRight, seconds});
    save();
    show(run.answers[item.id]);
    lead(comparison);
  }

  function show(answer) {
    const item = items[at], {setups, tasks} = item;
    face("answered", `${whereabouts(items, item)} · locked in: ${replyText(item, answer.last)}`);
    uncover();
    stand("before");
    // What is explained stands on the page, unless it is the reader's own to do.
    const then = ["after", "best"].find(name => name in setups);
    if (then && !tasks.length) store.open({...defaults, ...setups[then]}, "set");
    comparison.show(item, answer);
    place("next").textContent = at + 1 < items.length ? "Next" : "Summary";
    choose({exercise: item.id});
  }

  function sum() {
    face("summary", "Summary");
    uncover();
    end.show(items, run);
    choose({});
    lead(end);
  }

  function face(name, where) {
    for (const [each, root] of Object.entries(faces)) root.hidden = each !== name;
    place("where").textContent = where;
    card.querySelector("i").style.width = `${100 * (name === "summary" ? 1 : (at + 1) / items.length)}%`;
    place("previous").hidden = at === 0;
    place("skip-this").hidden = name !== "asking";
  }

  /** The widget at a set-up of the question, where Reset leads back to. */
  function stand(setup) {
    store.home = {...defaults, ...items[at].setups[setup]};
    store.open(store.home);
    store.settle();
  }

  function cover(names) {
    uncover();
    const put = (selector, face) => {
      for (const under of all(root, selector)) lifts.unshift(veil(under, ...face(under)));
    };
    const word = () => element("p", VEIL);
    for (const name of names) {
      put(`.meter:is([data-part="${name}"])`, () => [element("h2", "GPU memory"), word()]);
      put(`[data-chart="${name}"]`, () => [word()]);
      put(`[data-readout="${name}"]`, under => [element("h2", under.querySelector("h2").textContent), word()]);
    }
    for (const selector of ALWAYS) put(selector, () => selector === ".sentence" ? [word()] : []);
  }

  function uncover() {
    for (const lift of lifts.splice(0)) lift();
    isLocked = false;
  }

  // Progress, only where the reader wants it

  function storedRun() {
    try {
      const text = localStorage.getItem(STORAGE_KEY);
      remember.checked = text !== null;
      return savedRun(text, course);
    } catch {
      return undefined;   // no storage in a frame without permission
    }
  }

  function save() {
    const wanted = remember.checked;
    try {
      if (wanted) localStorage.setItem(STORAGE_KEY, JSON.stringify(run));
      else localStorage.removeItem(STORAGE_KEY);
      place("refused").textContent = "";
    } catch {
      place("refused").textContent = wanted ? "This browser keeps nothing here: the exercises go on without." : "";
    }
  }

  return {
    /** Whether nothing of the widget can be moved. */
    get locked() { return isLocked; },

    /** The question that an address asks for, else where the reader was last; gives what is wrong. */
    open({exercise: id}) {
      const isThere = items.some(each => each.id === id);
      open(isThere ? id : run.at);
      return id && !isThere ? [`exercise=${id}: there is no such exercise`] : [];
    },

    /** Lead the keyboard to the question. */
    focus() {
      lead(isLocked ? form : comparison);
    },

    close() {
      uncover();
      comparison.close();
      card.remove();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== sheet);
      store.home = home;
    },
  };
}
