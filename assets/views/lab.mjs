// The batching lab: the same requests, replayed twice, and what each way of batching makes of them.
import {css, figures, html} from "../built/lab_face.mjs";
import {inTheLab} from "../built/tries.mjs";
import {nextEnd, progress} from "../core/lab/passes.mjs";
import {largest, mostDelayed, queue} from "../core/lab/picture.mjs";
import {load as loads, obstacle, replays, unpaced} from "../core/lab/replays.mjs";
import {memoryScale} from "../core/lab/strips.mjs";
import {about, described, name, roomless, sentence, trace} from "../core/words/lab.mjs";
import {amount, memoryUnit, number} from "../core/words/format.mjs";
import {memory, memoryAt, queued, queuedAt} from "../core/words/strips.mjs";
import {adopt, slots as places} from "../parts/dom.mjs";
import {charts} from "../parts/lab/charts.mjs";
import {fields} from "../parts/lab/fields.mjs";
import {player} from "../parts/lab/player.mjs";
import {slots} from "../parts/lab/slots.mjs";
import {totals} from "../parts/lab/totals.mjs";
import {ownTrace} from "../parts/lab/trace.mjs";

const RUNS = ["first", "second"];

/**
 * Put the lab in the place of the widget.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around: `choose` changes settings, `embed` puts figures into their places
 */
export function view(root, store, {choose, embed}) {
  const dropSheet = adopt(css);
  const lab = document.createRange().createContextualFragment(html).querySelector(".lab");
  root.querySelector("main > .controls").before(lab);
  root.classList.add("in-lab");
  const write = places(lab);
  const place = selector => lab.querySelector(selector);
  const complain = text => { place(".error").textContent = text; };
  const form = fields(lab, choose, complain);
  const sums = totals(place(".totals tbody"));
  const strips = RUNS.map(each => slots(place(`.${each}`), watch));
  const beneath = charts(place(".lab-charts"), watch);
  /** @type {Record<string, any>} */
  let settings = {};
  let look = {dark: false}, runs = null, watched = 0, removed = false, remove = null;
  let own = null;   // a trace of the reader's own
  const playing = player(place(".player"), showAt, following);
  const opener = ownTrace(lab, trace => {
    own = trace;
    form.rest(Boolean(own));
    compute();
  }, complain);

  place(".leave").addEventListener("click", () => choose({view: "widget"}));
  place(".predict").addEventListener("click", () => choose({view: "exercises", exercise: inTheLab}));

  let frame = 0;

  /** Another scenario: replayed once per frame. */
  function changed() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (!removed) compute();
    });
  }

  const start = () => runs[0].start_s, end = () => Math.max(...runs.map(each => each.end_s));

  function compute() {
    beneath.stop();
    const wrong = obstacle(store.state, settings, own);
    runs = wrong ? null : replays(store.state, settings, own);
    const why = wrong || roomless(runs);
    if (why) runs = null;
    refuse(why);
    if (!runs) return;
    watched = mostDelayed(runs[0].requests);
    write({
      trace: trace(settings, {...runs[0].means, speculates: store.state.spec_k > 0}, own),
      lab_sentence: sentence(runs[0], runs[1]),
      ...Object.fromEntries(RUNS.flatMap((each, i) => [
        [`about_${each}`, about(runs[i])], [`name_${each}`, name(runs[i], runs[1 - i])],
      ])),
    });
    RUNS.forEach((each, i) => place(`.${each} .slots`).setAttribute("aria-label", described(runs[i])));
    for (const run of runs) {
      run.progress = progress(run.phases, run.passes, run.n_slots, run.start_s);
      run.most_waiting = largest(queue(run.requests, [run.start_s, run.end_s]));
    }
    sums.show(runs);
    playing.span(start(), end());
    draw();
    beneath.load(loads(store.state, settings, own), unpaced(store.state, settings, own), Number(settings.ttft_limit));
  }

  /** What stands in the way of a replay takes the sentence's place. */
  function refuse(wrong) {
    lab.classList.toggle("idle", Boolean(wrong));
    if (!wrong) return;
    playing.pause();
    write({lab_sentence: wrong, trace: own?.name ?? ""});
  }

  function draw() {
    if (!runs) return;
    const most_waiting = Math.max(1, ...runs.map(each => each.most_waiting));
    const shared = {start_s: start(), end_s: end(), most_waiting, most_bytes: memoryScale(runs, memoryUnit()[1]), watched, ...look};
    strips.forEach((strip, i) => strip.draw(runs[i], shared));
    beneath.show(runs, watched, look.dark);
  }

  function showAt(at) {
    if (!runs) return;
    const isWhole = at >= end();
    for (const strip of strips) strip.cover((at - start()) / (end() - start()));
    write(Object.fromEntries([["clock", amount(at - start(), "s")], ...RUNS.flatMap((each, i) => {
      const run = runs[i], {tokens, busy, passed_s} = run.progress(Math.min(at, run.end_s));
      return [
        [`speed_${each}`, passed_s > 0 ? number(tokens / passed_s) : "0"],
        [`busy_${each}`, String(Math.round(100 * busy))],
        [`queue_${each}`, isWhole ? queued(run, run.most_waiting) : queuedAt(run, at)],
        [`cache_${each}`, isWhole ? memory(run) : memoryAt(run, at)],
      ];
    })]));
  }

  function following(at) {
    return runs ? Math.min(...runs.map(({passes}) => nextEnd(passes, at)), end()) : at;
  }

  function watch(request) {
    watched = request;
    draw();
  }

  async function connect() {
    const {roots, remove: take} = await embed({lab: figures});
    if (removed) return void take();
    remove = take;
    for (const strip of strips) strip.connect(roots);
    beneath.connect(roots);
    draw();
  }

  return {
    open(asked) {
      settings = asked;
      form.show(settings);
      compute();
      connect();
      store.addEventListener("change", changed);
      return [];
    },
    present({theme, lock, settings: now}) {
      look = {dark: theme === "dark"};
      form.lock(lock);
      opener.lock(lock);
      if (now !== settings) {
        settings = now;
        form.show(settings);
        compute();
      } else draw();
    },
    focus() {
      place("h2").focus();
    },
    close() {
      removed = true;
      beneath.stop();
      store.removeEventListener("change", changed);
      playing.pause();
      lab.remove();
      remove?.();
      root.classList.remove("in-lab");
      dropSheet();
    },
  };
}
