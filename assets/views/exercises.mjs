// The exercises: a question over the widget. What it asks for is under a veil until a prediction is
// locked in; then the page compares, explains, and the sliders are the reader's.
import course from "../built/exercises.mjs";
import {css, html} from "../built/exercises_face.mjs";
import {labAt, standsAt} from "../core/exercise.mjs";
import {defaults} from "../core/rules.mjs";
import {items as itemsOf} from "../core/course.mjs";
import {afterLock, beside, freshRun, isHeld, withReply, withSteps} from "../core/run.mjs";
import {lockedKeys} from "../core/settings.mjs";
import {replyText} from "../core/words/exercise.mjs";
import {clearance, extent, lockedIn, whereabouts} from "../core/words/run.mjs";
import {all} from "../parts/dom.mjs";
import {exerciseCard} from "../parts/exercises/card.mjs";
import {labBelow} from "../parts/exercises/lab_below.mjs";
import {keeping} from "../parts/exercises/saved_run.mjs";
import {question} from "../parts/exercises/question.mjs";
import {questions, summary} from "../parts/exercises/questions.mjs";
import {reveal} from "../parts/exercises/reveal.mjs";
import {stepBar} from "../parts/exercises/step_bar.mjs";
import {stopwatch} from "../parts/exercises/stopwatch.mjs";
import {veils} from "../parts/exercises/veil.mjs";

/**
 * Put the exercises over the widget of a page.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around: `choose` changes settings, `say` tells the page around a frame; and for the lab
 */
export function view(root, store, {choose, say, load, embed}) {
  const left = store.place, card = exerciseCard(root.querySelector("main"), css, html), {place} = card;
  const bar = stepBar(card.bar, place("tasks"), next), below = labBelow(root, store, {load, embed});
  const form = question(place("asking"), lockIn), comparison = reveal(place("answered"), store, step, bar, below);
  const list = questions(place("questions").querySelector("ol"), go), end = summary(place("summary"), go);
  const veiling = veils(root), clock = stopwatch(), kept = keeping(card.root, course);
  let {run} = kept, items = [], at = 0;
  let former = null;      // the run before the last one was started over
  let locked = [];        // inputs that are not the reader's to change
  let isLocked = false;   // all of them, while a prediction is asked for

  const press = (name, act) => place(name).addEventListener("click", act);
  press("previous", () => go(beside(items, run, at, -1).id));
  press("skip-this", next);
  press("next", next);
  press("retry", () => { ask(); card.lead(form); });
  press("leave", () => choose({view: "widget", exercise: ""}));
  press("to-summary", () => { place("questions").hidePopover(); sum(); });
  press("restart", () => {
    former = run;
    change(freshRun);
    go(items[0].id);
    place("started-over").hidden = false;
  });
  press("take-back", () => {
    change(() => former);
    sum();
  });
  place("questions").addEventListener("beforetoggle", ({newState}) => {
    // Written anew while it closes, it would lose the keyboard's place.
    if (newState !== "open") return;
    change(same => same, kept.look);
    list.show(items, run, at);
  });

  /** The run as another is made of it, and what that asks. */
  function change(make, take = kept.change) {
    const {seed} = run;
    take(make);
    ({run} = kept);
    if (run.seed !== seed) draw();
  }

  function draw() {
    items = itemsOf(course, run.seed, locked);
    for (const each of all(card.root, ".extent")) each.textContent = extent(items, course.minutes);
  }

  /** To a question by the reader's own hand. */
  function go(id) {
    place("questions").hidePopover();
    store.settle();   // a move that led to a step counts for it
    open(id, kept.change);
    card.lead(isLocked ? form : comparison);
  }

  function next() {
    const item = beside(items, run, at, 1);
    if (item) go(item.id);
    else sum();
  }

  function open(id, take) {
    change(same => same, kept.look);
    at = Math.max(items.findIndex(each => each.id === id), 0);
    if (isHeld(items, run, items[at])) at = items.indexOf(afterLock(items, run, items[at]));
    change(run => ({...run, at: items[at].id}), take);
    const answer = run.answers[run.at];
    if (answer) show(answer);
    else ask();
  }

  function ask() {
    const item = items[at];
    form.show(item);
    card.tell(() => {
      card.turn("asking", whereabouts(items, item, "question"), items, run, at);
      form.write(lockedIn(items, run, item));
    });
    comparison.hide();
    below.hide();
    veiling.lay(item.veiled);
    stand();
    isLocked = true;
    clock.start();
    choose({exercise: item.id});
  }

  function lockIn(reply) {
    const item = items[at], {seconds: took} = clock;
    let first;
    change(run => {
      first = run.answers[item.id];
      return withReply(run, item, reply, took);
    });
    const {isRight, seconds} = run.answers[item.id];
    if (!first) say("answer", {exercise: item.id, prediction: reply, correct: isRight, seconds});
    // A second prediction is compared at once; of a deployment all first ones come before.
    go((first ? item : afterLock(items, run, item)).id);
  }

  function show(answer) {
    const item = items[at], done = () => run.steps[item.id] ?? [];
    const {before} = item.setups, then = standsAt(item, done());
    uncover();
    comparison.hide();
    stand();
    if (then !== before) store.open({...defaults, ...then}, "set");
    if (item.lab) below.show(labAt(item, done()));
    card.tell(() => {
      const where = `${whereabouts(items, item, "answer")} · locked in: ${replyText(item, answer.last)}`;
      card.turn("answered", where, items, run, at);
      comparison.show(item, answer, done(), clearance(items, run, item));
    });
    card.offerNext(items, run, at);
    choose({exercise: item.id});
  }

  /** Steps that the reader's own hand has done. */
  function step(done) {
    change(run => withSteps(run, items[at], done));
    card.offerNext(items, run, at);
  }

  function sum() {
    uncover();
    comparison.hide();
    card.tell(() => {
      card.turn("summary", "Summary", items, run, at);
      end.show(items, run);
    });
    choose({});
    card.lead(end);
  }

  /** The widget at the set-up of the question, where Reset leads back to. */
  function stand() {
    const state = {...defaults, ...items[at].setups.before};
    store.resume({state, home: state, past: []});
    store.settle();
  }

  function uncover() {
    below.hide();
    veiling.lift();
    isLocked = false;
  }

  return {
    /** The state that the reader came from, and goes back to. */
    left: left.state,

    /** Whether nothing of the widget can be moved. */
    get isLocked() { return isLocked; },

    /** The question that an address asks for, else where the reader was last; gives what is wrong. */
    open({exercise: id, lock}) {
      locked = lockedKeys({lock});
      draw();
      const isThere = items.some(each => each.id === id);
      open(isThere ? id : run.at, kept.look);
      return id && !isThere ? [`exercise=${id}: there is no such exercise`] : [];
    },

    /** As the page is to be shown: in its unit of memory, and the lab in its colours. */
    present: look => { card.present(); below.present(look); },

    /** Lead the keyboard to the question. */
    focus() {
      card.lead(isLocked ? form : comparison);
    },

    close() {
      uncover();
      comparison.close();
      clock.close();
      kept.close();
      card.close();
      store.resume(left);
    },
  };
}
