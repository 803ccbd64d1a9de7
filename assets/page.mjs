// One way through: a control changes → state → evaluate → texts, meter, sources.
// At most once per animation frame, and entirely in this page.
import data from "./built/data.mjs";
import {opened, query} from "./core/address.mjs";
import {draw, Figures, rows} from "./parts/charts.mjs";
import {Controls} from "./parts/controls/controls.mjs";
import {all, element} from "./parts/dom.mjs";
import {exact, setMemoryUnit} from "./core/format.mjs";
import {defaults} from "./core/rules.mjs";
import {Store} from "./core/store.mjs";
import {showFormulas} from "./parts/formulas.mjs";
import {loadLibraries} from "./libraries.mjs";
import {embedded, Messages} from "./contract/messages.mjs";
import {describeMeter, showMeter} from "./parts/meter.mjs";
import {quantities} from "./built/model.mjs";
import {arrange} from "./parts/arrange.mjs";
import {sentence, texts} from "./core/words.mjs";

const root = document.documentElement;
const slots = new Map(all("[data-text]").map(slot => [slot.dataset.text, slot]));
// One text node each, changed in place: a new one would be laid out from scratch.
const written = new Map([...slots].map(([name, slot]) => {
  slot.replaceChildren(slot.textContent);
  return [name, slot.firstChild];
}));
const tabs = all('[role="tab"]');

const asked = opened(location.search);
let page = asked.page;        // how the page is shown: theme, units, parts, locks
let frame = 0;
/** @type {any} */
let figures = null;
let chart = "throughput";

// Reset leads to the lesson's default, or to the set-up of the page around this frame.
const store = new Store(asked.state, embedded ? asked.state : defaults);
const controls = new Controls(store);
const messages = new Messages(page.origin, {
  setState: inputs => {
    const wrong = store.set(inputs);
    if (wrong) throw new Error(wrong);
  },
  getState: () => store.state,
  reset: () => store.reset(),
});

store.addEventListener("change", schedule);
store.addEventListener("settle", () => {
  document.getElementById("live").textContent = sentence(store);
  describeMeter();
});

/** Tell the address bar and the page around, when there is a pause. */
let published = 0;
function publish() {
  clearTimeout(published);
  published = setTimeout(() => {
    writeAddress();
    messages.state(store.state);
  }, 150);
}

/** Put the state into the address bar, where the page may. */
function writeAddress() {
  const target = location.pathname + query(store.state, page) + location.hash;
  if (target === location.pathname + location.search + location.hash) return;
  try {
    history.replaceState(null, "", target);
  } catch {
    // A sandboxed frame or a file may not have an address of its own.
  }
}

function schedule() {
  frame ||= requestAnimationFrame(update);
}

// Numbers first: in a run of updates the chart follows every second one, as often as Bokeh
// repaints.
let updated = -Infinity, owed = false;

function update(now = 0) {
  frame = 0;
  owed = !owed && now - updated < 50;
  updated = now;
  render(owed ? null : figures);
  publish();
  if (owed) schedule();
}

function render(drawn = figures) {
  const {state, report} = store;
  write({
    ...texts(state, report),
    ...draw(chart, drawn, root.dataset.theme, state, report),
    sentence: sentence(store),
  });
  controls.show();
  showMeter(report);
  showFormulas(report);
  showTable();
}

function write(words) {
  for (const name in words) {
    const text = written.get(name);
    if (text.data !== words[name]) text.data = words[name];
  }
}

// Every digit, for those who point at a number.
document.querySelector(".readouts").addEventListener("pointerover", event => {
  const name = event.target.closest("[data-readout]")?.dataset.readout;
  if (name) slots.get(name).title = exact(store.report[name], quantities[name][1]);
});

// Charts

function showTable() {
  const panel = document.getElementById(`panel-${chart}`);
  if (!panel.querySelector("details").open) return;
  const table = document.createElement("table");
  rows(chart, store.state, store.report).forEach((cells, i) => {
    const row = table.insertRow();
    cells.forEach(cell => row.append(element(i ? "td" : "th", cell)));
  });
  panel.querySelector("[data-table]").replaceChildren(table);
}

function select(tab) {
  chart = tab.id.replace("tab-", "");
  for (const each of tabs) {
    const chosen = each === tab;
    each.setAttribute("aria-selected", String(chosen));
    each.tabIndex = chosen ? 0 : -1;
    document.getElementById(each.getAttribute("aria-controls")).hidden = !chosen;
  }
  render();
}

for (const tab of tabs) {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const left = tabs.filter(each => !each.hidden);
    const next = left.at((left.indexOf(tab) + step) % left.length);
    next.focus();
    select(next);
  });
}
for (const details of all("details")) details.addEventListener("toggle", showTable);

// Reset, and how the page is shown

document.querySelector("form").addEventListener("reset", event => {
  event.preventDefault();
  data.shown.forEach(key => controls.complain(key, ""));
  store.reset([...controls.locked]);
});
document.querySelector("form").addEventListener("submit", event => event.preventDefault());

const preference = matchMedia("(prefers-color-scheme: dark)");

function resolvedTheme() {
  return page.theme === "auto" ? (preference.matches ? "dark" : "light") : page.theme;
}

/** Show the page as its settings say. */
function present() {
  root.dataset.theme = resolvedTheme();
  root.classList.toggle("embedded", embedded);
  setMemoryUnit(page.units);
  document.getElementById("units").textContent = page.units;
  const left = arrange(page);
  controls.lock(page.lock);
  const chosen = left.find(tab => tab.getAttribute("aria-selected") === "true") ?? left[0];
  if (chosen) select(chosen);
  else render();
}

function choose(settings) {
  page = {...page, ...settings};
  present();
  publish();
}

document.getElementById("theme").addEventListener("click", () =>
  choose({theme: resolvedTheme() === "dark" ? "light" : "dark"}));
document.getElementById("assumptions").addEventListener("click", () =>
  store.set({assumptions: store.state.assumptions === "lesson" ? "engine" : "lesson"}));
document.getElementById("units").addEventListener("click", () =>
  choose({units: page.units === "GB" ? "GiB" : "GB"}));
preference.addEventListener("change", present);
addEventListener("popstate", () => {
  const {state, page: settings, notes} = opened(location.search);
  page = settings;
  store.open(state);
  present();
  note(notes);
});

// What was wrong with the address, as text, until it is dismissed.
const notes = document.querySelector(".notes");

function note(texts) {
  notes.querySelector("ul").replaceChildren(...texts.slice(0, 8).map(text => element("li", text)));
  notes.hidden = !texts.length;
}

notes.querySelector("button").addEventListener("click", () => { notes.hidden = true; });

const share = document.getElementById("share");
share.addEventListener("click", async () => {
  const link = new URL(location.pathname + query(store.state, page), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    share.textContent = "Link copied";
  } catch {
    // No clipboard in a frame without permission: show the link, to be copied by hand.
    note([`Link to this state: ${link}`]);
  }
  setTimeout(() => { share.textContent = "Share"; }, 2000);
});

// A press begins a new move, before it changes anything: the sentence under the chart speaks
// of one at a time.
addEventListener("pointerdown", event => {
  if (event.target.closest?.(".controls")) store.settle();
}, true);

// Browsers compile what has run often. Repeating the present state while nothing else is to
// be done makes the first drag as smooth as the tenth.
const whenIdle = globalThis.requestIdleCallback ?? (work => setTimeout(work, 50));

function warmUp(times) {
  if (store.moved || times === 0) return;
  controls.repeat();
  render();
  whenIdle(() => warmUp(times - 1));
}

// First numbers now; controls and figures when their libraries are here.

update();
present();
note(asked.notes);
describeMeter();
messages.say("ready");
if (asked.notes.length) messages.say("error", {message: asked.notes.join("; ")});
root.dataset.started = "";
performance.mark("first-numbers");
requestAnimationFrame(() => setTimeout(async () => {
  const documents = await loadLibraries();
  controls.connect(documents.controls);
  figures = new Figures(documents.figures);
  render();
  whenIdle(() => {
    controls.resync();
    root.dataset.ready = "";
    performance.mark("ready");
    whenIdle(() => warmUp(100));
  }, {timeout: 1000});
}));
