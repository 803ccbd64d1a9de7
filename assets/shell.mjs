// What is around the views: state and settings, from the address or a message, and how they are shown.
import {AddressBar, first} from "./addressbar.mjs";
import {embedded, Messages} from "./contract/messages.mjs";
import {fromAddress, query, waiting} from "./core/address.mjs";
import {defaults} from "./core/rules.mjs";
import {learn, learnFrom} from "./core/own_models.mjs";
import {pinnedMoment} from "./core/scenario_text.mjs";
import {lockedKeys} from "./core/settings.mjs";
import {inputsFromJson, stateToJson} from "./core/state_json.mjs";
import {Store} from "./core/store.mjs";
import {setMemoryUnit} from "./core/words/format.mjs";
import {embed, fetchLibraries, loadLibraries} from "./libraries.mjs";
import {all, idle, painted} from "./parts/dom.mjs";
import {header} from "./parts/header.mjs";
import {notes} from "./parts/notes.mjs";
import {scenarioBar} from "./parts/scenario_bar.mjs";
import {terms} from "./parts/terms.mjs";
import {views} from "./views.mjs";

/** So long sliders and charts may be on their way before the page says that they are not there. [ms] */
const PATIENCE_MS = 30_000;

/** What a message hears that would change what a prediction is asked of. */
const HELD = "nothing can be set while a prediction is asked for";

/** Views that show what is pinned as A beside what they have. */
const COMPARING = ["widget", "explorer"];

export async function shell(root) {
  fetchLibraries();
  await Promise.all([location.search, first].map(learnFrom));
  const start = fromAddress(location.search);
  let settings = start.settings;
  // Reset leads to the lesson's default, or to the set-up of the page around this frame.
  const store = new Store(start.state, embedded ? fromAddress(first).state : defaults);

  const messages = new Messages(settings.origin, {
    setState: async scenario => {
      await learn([scenario?.model]);
      const wrong = view.isLocked ? HELD : store.set(inputsFromJson(scenario));
      if (wrong) throw new Error(wrong);
    },
    getState: tellState,
    reset: () => store.open(store.home, "reset"),
  });
  const say = messages.say.bind(messages);
  const address = new AddressBar(() => query(view.left ?? store.state, settings), tellState, visit);

  const view = await views(root, store, {choose, say, embed, link: () => address.link ?? address.query(), isFramed: embedded});
  const top = header(root.querySelector(".top"), {choose, address, unshared: () => view.unshared});
  const bar = scenarioBar(root.querySelector(".scenario-bar"), store);
  const notice = notes(root.querySelector(".notes"));
  terms(root);

  function tellState() {
    say("state", {scenario: stateToJson(store.state)});
  }

  /** What the browser's Back and Forward lead to. */
  async function visit(search) {
    await learnFrom(search);
    const place = fromAddress(search);
    // What is locked here stays, whatever it was there.
    store.lock = lockedKeys(settings);
    settings = place.settings;
    view.close();
    const kept = store.goTo(place.state, "");
    const wrong = await enter();
    if (!wrong) return;
    present();
    notice.show([...place.notes, ...kept ? [kept] : [], ...wrong, ...emptiness()]);
  }

  /** Other settings, by the reader's own hand. */
  async function choose(changes) {
    settings = {...settings, ...changes};
    if (settings.view === view.current) {
      present();
      return void address.follow();
    }
    address.leave();
    const wrong = await enter();
    if (!wrong) return;
    present();
    notice.show(wrong);
    if (!wrong.length) view.focus();
  }

  /**
   * The view that the settings ask for; what cannot be opened is noted, and asked for no longer.
   * Nothing where another one was asked for meanwhile.
   */
  async function enter() {
    const wrong = await view.open(settings);
    if (wrong && settings.view !== view.current) {
      settings = {...settings, view: view.current, exercise: ""};
      address.follow();
    }
    return wrong;
  }

  // How it is shown

  const dark = matchMedia("(prefers-color-scheme: dark)");

  function present() {
    const {show, hide, units} = settings;
    const theme = settings.theme === "auto" ? (dark.matches ? "dark" : "light") : settings.theme;
    const isThere = part => (!show.length || show.includes(part)) && !hide.includes(part);
    for (const part of all(root, "[data-part]")) part.hidden = !isThere(part.dataset.part);
    root.dataset.theme = theme;
    root.classList.toggle("embedded", embedded);
    setMemoryUnit(units);
    const lock = store.lock = lockedKeys(view.isLocked ? {lock: ["all"]} : settings);
    top.present({theme, units, view: view.current});
    bar.present({lock, view: view.current});
    bar.show(store);
    const pinned = isThere("compare") && COMPARING.includes(view.current) ? pinnedMoment(settings.a) : null;
    view.present({theme, lock, settings, pinned});
  }

  /** That an address hides everything, where it does; in a frame that is not shown nothing can be seen. */
  function emptiness() {
    if (!root.checkVisibility()) return [];
    const isLeft = all(root, ".top, .scenario-bar, main > *").some(part => part.checkVisibility());
    return isLeft ? [] : ["show and hide leave nothing of the page: take one of them out of the address"];
  }

  // The bar once per frame, as the view: Bokeh, whose turn is before, finds no style to work out.
  let frame = 0;

  function showBar() {
    frame = 0;
    bar.show(store);
  }

  store.addEventListener("change", () => {
    frame ||= requestAnimationFrame(showBar);
    address.follow();
  });
  store.addEventListener("settle", showBar);
  dark.addEventListener("change", present);
  root.addEventListener("note", ({detail}) => notice.show([detail]));
  root.addEventListener("enter", ({detail}) => choose(detail));
  root.querySelector(".skip").addEventListener("click", event => {
    event.preventDefault();   // the address is the state
    view.widget.focus();
  });

  // First numbers now; controls and figures when their libraries are here.

  const wrong = [...start.notes, ...await enter() ?? []];
  if (view.left) wrong.push(...waiting(view.left));
  present();
  address.follow();
  wrong.push(...emptiness());
  notice.show(wrong);
  say("ready");
  if (wrong.length) say("error", {message: wrong.join("; ")});
  root.dataset.started = "";
  performance.mark("first-numbers");
  await painted();
  const isThere = await connect(view.widget, missing => {
    notice.show(missing ? [...wrong, missing] : []);
    if (missing) say("error", {message: missing});
  });
  if (!isThere) return;
  root.dataset.ready = "";
  performance.mark("ready");
  await idle();
  view.widget.warmUp();
}

/**
 * Bring sliders and charts into the widget; whether they came. `tell` is given what is said while
 * they do not come, and "" if they come after all.
 */
async function connect(widget, tell) {
  let isLate = false;
  const miss = () => {
    isLate = true;
    tell("Sliders and charts did not come: reload the page to try again. Values can be typed, and the numbers follow.");
  };
  const patience = setTimeout(miss, PATIENCE_MS);
  try {
    await widget.connect(await loadLibraries());
  } catch {
    miss();
    return false;
  } finally {
    clearTimeout(patience);
  }
  if (isLate) tell("");
  return true;
}
