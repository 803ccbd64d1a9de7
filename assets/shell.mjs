// What is around a view: the address, the messages, the header, and how the page is shown.
import {linkTo, writeAddress} from "./addressbar.mjs";
import {embedded, Messages} from "./contract/messages.mjs";
import {opened, query} from "./core/address.mjs";
import {setMemoryUnit} from "./core/words/format.mjs";
import {defaults} from "./core/rules.mjs";
import {inputsOf, scenarioOf} from "./core/scenario.mjs";
import {lockedKeys} from "./core/settings.mjs";
import {Store} from "./core/store.mjs";
import {fetchLibraries, loadLibraries} from "./libraries.mjs";
import {all, idle, painted} from "./parts/dom.mjs";
import {notes as notesIn} from "./parts/notes.mjs";
import {scenario} from "./parts/scenario.mjs";
import {terms} from "./parts/terms.mjs";

/** A view comes when it is asked for: the widget, or one that stands over it. */
const VIEWS = {
  widget: () => import("./views/widget.mjs"),
  exercises: () => import("./views/exercises.mjs"),
};

/** So long sliders and charts may be on their way before the page says that they are not there. [ms] */
const PATIENCE_MS = 30_000;

export async function shell(root) {
  fetchLibraries();
  const asked = opened(location.search);
  let page = asked.page;   // how the page is shown: theme, units, parts, locks
  // Reset leads to the lesson's default, or to the set-up of the page around this frame.
  const store = new Store(asked.state, embedded ? asked.state : defaults);
  const {view} = await VIEWS.widget();
  const shown = view(root.querySelector("main"), store);
  let over = null, there = "widget";   // the view over the widget, and its name

  const bar = scenario(root.querySelector(".scenario"), store);
  terms(root);
  const notes = notesIn(root.querySelector(".notes"));
  root.addEventListener("refused", ({detail}) => notes.show([detail]));
  root.addEventListener("enter", ({detail}) => choose({view: detail}));
  const button = (name, press) => {
    const found = root.querySelector(`#${name}`);
    found.addEventListener("click", press);
    return found;
  };

  root.querySelector(".skip").addEventListener("click", event => {
    event.preventDefault();   // the address is the state
    shown.focus();
  });

  const messages = new Messages(page.origin, {
    setState: scenario => {
      const wrong = store.set(inputsOf(scenario));
      if (wrong) throw new Error(wrong);
    },
    getState: tellState,
    reset: () => store.open(store.home, "reset"),
  });

  function tellState() {
    messages.say("state", {scenario: scenarioOf(store.state)});
  }

  // The address bar and the page around are told when there is a pause.
  let published = 0, written = location.search;

  function publish() {
    clearTimeout(published);
    published = setTimeout(() => {
      writeAddress(query(store.state, page));
      written = location.search;
      tellState();
    }, 150);
  }

  /** The view that is asked for; gives notes on what it cannot open. */
  async function enter() {
    if (page.view !== there) {
      there = page.view;
      over?.close();
      over = null;
      const {view} = await VIEWS[there]();
      if (page.view !== there) return [];   // another one was asked for meanwhile
      if (there !== "widget") over = view(root, store, {choose, say: messages.say.bind(messages)});
    }
    return over?.open(page.exercise) ?? [];
  }

  // The bar once per frame, as the view: Bokeh, whose turn is before, finds no style to work out.
  let frame = 0;

  function showBar() {
    frame = 0;
    bar.show(store);
  }

  store.addEventListener("change", () => {
    frame ||= requestAnimationFrame(showBar);
    publish();
  });
  store.addEventListener("settle", showBar);
  addEventListener("popstate", async () => {
    // Only what stands behind the # may have changed, which is nothing of ours.
    if (location.search === written) return;
    written = location.search;
    const {state, page: settings, notes: wrong} = opened(location.search);
    page = settings;
    store.open(state);
    wrong.push(...await enter());
    present();
    notes.show([...wrong, ...emptiness()]);
  });

  // How the page is shown

  /** That an address hides everything, where it does. */
  function emptiness() {
    const isLeft = all(root, "main > *").some(part => part.checkVisibility());
    return isLeft ? [] : ["show and hide leave nothing of the page: take one of them out of the address"];
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");

  function theme() {
    return page.theme === "auto" ? (dark.matches ? "dark" : "light") : page.theme;
  }

  function present() {
    const there = part => (!page.show.length || page.show.includes(part)) && !page.hide.includes(part);
    for (const part of all(root, "[data-part]")) part.hidden = !there(part.dataset.part);
    root.dataset.theme = theme();
    root.classList.toggle("embedded", embedded);
    setMemoryUnit(page.units);
    units.textContent = page.units;
    const lock = store.locked = lockedKeys(over?.locked ? {lock: ["all"]} : page);
    bar.present({lock});
    bar.show(store);
    shown.present({theme: theme(), lock});
  }

  function choose(settings) {
    page = {...page, ...settings};
    if (page.view !== there) {
      // Back leads to where one was.
      writeAddress(query(store.state, page), "pushState");
      written = location.search;
      return void enter().then(() => {
        present();
        (over ?? shown).focus();
      });
    }
    present();
    publish();
  }

  dark.addEventListener("change", present);
  button("theme", () => choose({theme: theme() === "dark" ? "light" : "dark"}));
  const units = button("units", () => choose({units: page.units === "GB" ? "GiB" : "GB"}));
  const share = button("share", async () => {
    const search = query(store.state, page), link = linkTo(search);
    if (!link) {
      notes.show([`Here the page has no address of its own. Behind one that it has elsewhere, this state is: ${search}`]);
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      share.textContent = "Copied";
    } catch {
      // No clipboard in a frame without permission: show the link, to be copied by hand.
      notes.show([`Link to this state: ${link}`]);
    }
    setTimeout(() => { share.textContent = "Share"; }, 2000);
  });

  // First numbers now; controls and figures when their libraries are here.

  asked.notes.push(...await enter());
  present();
  publish();
  asked.notes.push(...emptiness());
  notes.show(asked.notes);
  messages.say("ready");
  if (asked.notes.length) messages.say("error", {message: asked.notes.join("; ")});
  root.dataset.started = "";
  performance.mark("first-numbers");
  await painted();
  let isMissed = false;

  function miss() {
    isMissed = true;
    const missing = "Sliders and charts did not come: reload the page to try again. Values can be typed, and the numbers follow.";
    notes.show([...asked.notes, missing]);
    messages.say("error", {message: missing});
  }

  const waiting = setTimeout(miss, PATIENCE_MS);
  try {
    await shown.connect(await loadLibraries());
  } catch {
    return void miss();
  } finally {
    clearTimeout(waiting);
  }
  if (isMissed) notes.show([]);
  root.dataset.ready = "";
  performance.mark("ready");
  await idle();
  shown.warmUp();
}
