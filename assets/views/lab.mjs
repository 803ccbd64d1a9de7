// The batching lab: the same requests, replayed twice, and what each way of batching makes of them.
import {css, figures, html} from "../built/lab_face.mjs";
import {inTheLab} from "../built/tries.mjs";
import {load, unpaced} from "../core/lab/load.mjs";
import {nextEnd, progress} from "../core/lab/passes.mjs";
import {largest, mostDelayed, queue} from "../core/lab/picture.mjs";
import {obstacle, replays, unused} from "../core/lab/replays.mjs";
import {memoryScale} from "../core/lab/strips.mjs";
import {about, described, name, roomless, sentence, trace} from "../core/words/lab.mjs";
import {amount, hundredths, memoryUnit, number} from "../core/words/format.mjs";
import {uncapitalised} from "../core/words/phrases.mjs";
import {memory, memoryAt, queued, queuedAt} from "../core/words/strips.mjs";
import {adopt, slots as places} from "../parts/dom.mjs";
import {embedded} from "../parts/embedded.mjs";
import {charts} from "../parts/lab/charts.mjs";
import {fields} from "../parts/fields.mjs";
import {player} from "../parts/lab/player.mjs";
import {isFine, slots} from "../parts/lab/slots.mjs";
import {totals} from "../parts/lab/totals.mjs";
import {ownTrace} from "../parts/lab/trace.mjs";

const RUNS = ["first", "second"];

/**
 * Put the lab in the place of the widget.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around: `choose` changes settings, `embed` puts figures into their places, `kept`
 *   has what stays while the page is open: the reader's own trace
 */
export function view(root, store, {choose, embed, kept = {own: null}}) {
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
  let look = {dark: false}, runs = null, areFine = true, watched = 0, removed = false, remove = () => {};
  const playing = player(place(".player"), showAt, following);
  const opener = ownTrace(lab, take, complain);

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

  /** Another trace of the reader's own, or none; one that cannot be served is not taken, and why is given. */
  function take(own) {
    const served = serve(own);
    if (own && served.why) return served.why;
    kept.own = own;
    show(served);
    return "";
  }

  /** Both replays of a trace, or why there are none. */
  function serve(own) {
    const wrong = obstacle(store.state, settings, own);
    const found = wrong ? null : replays(store.state, settings, own);
    const why = wrong || roomless(found, own);
    return {found: why ? null : found, why: own && why ? `${own.name}: ${uncapitalised(why)}` : why};
  }

  const compute = () => show(serve(kept.own));

  function show({found, why}) {
    const {own} = kept;
    beneath.stop();
    form.show(settings, unused(settings, own));
    place(".forget").hidden = !own;
    runs = found;
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
    areFine = runs.every(isFine);
    lab.classList.toggle("thin", !areFine);
    sums.show(runs);
    playing.span(start(), end());
    draw();
    beneath.load(load(store.state, settings, own), unpaced(store.state, settings, own), Number(settings.ttft_limit));
  }

  /** What stands in the way of a replay takes the sentence's place. */
  function refuse(wrong) {
    lab.classList.toggle("idle", Boolean(wrong));
    if (!wrong) return;
    playing.pause();
    write({lab_sentence: wrong, trace: kept.own?.name ?? ""});
  }

  function draw() {
    if (!runs) return;
    const most_waiting = Math.max(1, ...runs.map(each => each.most_waiting));
    const shared = {start_s: start(), end_s: end(), isFine: areFine, most_waiting, most_bytes: memoryScale(runs, memoryUnit()[1]), watched, ...look};
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
        [`busy_${each}`, String(hundredths(busy))],
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

  function connect(roots) {
    for (const strip of strips) strip.connect(roots);
    beneath.connect(roots);
    draw();
  }

  return {
    /** What a link to the page as it is does not hold, in a sentence. */
    get unshared() {
      return kept.own ? `The link does not hold ${kept.own.name}: send the file along, it is opened under More.` : "";
    },
    open(asked) {
      settings = asked;
      compute();
      remove = embedded(embed, {lab: figures}, connect);
      store.addEventListener("change", changed);
      return [];
    },
    present({theme, lock, settings: now}) {
      look = {dark: theme === "dark"};
      form.lock(lock);
      opener.lock(lock);
      if (now !== settings) {
        settings = now;
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
      remove();
      root.classList.remove("in-lab");
      dropSheet();
    },
  };
}
