// Bokeh, Panel and the Material widgets: fetched after the first numbers are painted.
//
// In the exported folder they are files beside this module. In the single file they are
// inert blocks of the page itself: <script type="text/plain" data-file="…">.
import {painted} from "./parts/dom.mjs";

const KINDS = {js: "text/javascript", css: "text/css", json: "application/json"};

/** They are on their way once numbers are painted: those of the default are, before any module runs. */
export async function fetchLibraries() {
  const links = document.querySelector("template");   // the single file has them inside
  if (document.documentElement.hasAttribute("data-query")) await painted();
  links?.replaceWith(links.content);
}

/** The page's own block of a file, if it has the file inside. */
function block(name) {
  return document.querySelector(`[data-file="${name}"]`)?.textContent;
}

/** The address of a file of this page. */
function address(name) {
  const inside = block(name);
  if (inside === undefined) return new URL(name, import.meta.url).href;
  return URL.createObjectURL(new Blob([inside], {type: KINDS[name.split(".").at(-1)]}));
}

async function text(name) {
  return block(name) ?? (await fetch(address(name))).text();
}

function script(name) {
  return new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = address(name);
    tag.async = false;
    tag.onload = resolve;
    tag.onerror = () => reject(new Error(`${name} could not be loaded`));
    document.head.append(tag);
  });
}

/** What is on its way, or there: the libraries' scripts, and what Panel imports. */
let loading;

async function load() {
  const bundles = [];
  // Panel imports the Material bundle through this hook; a plain import() is all it needs.
  globalThis.importShim ??= Object.assign(url => {
    bundles.push(import(url));
    return bundles.at(-1);
  }, {addImportMap() {}});
  const names = document.querySelector("[data-scripts]").dataset.scripts.split(" ");
  await Promise.all(names.map(script));
  return bundles;
}

/**
 * Load everything, put widgets and figures into their places; gives Bokeh's root of each by its
 * place, an element. Throws where something does not come or is something else.
 */
export async function loadLibraries() {
  const [source, bundles] = await Promise.all([text("documents.json"), loading ??= load()]);
  const documents = JSON.parse(
    source.replace(/\{assets\}\/([\w.-]*)/g, (_, name) => name && address(name)));
  const {roots} = await embed(documents);
  await Promise.all(bundles);
  return roots;
}

/**
 * Bokeh's calls that are under way: one after another, so that it is known whose listeners are whose.
 * @type {Promise<unknown>}
 */
let embedding = Promise.resolve();

/**
 * Put what documents hold into their places, once the libraries are there: `roots` as above, and
 * `remove`, which takes them out again.
 */
export function embed(documents) {
  const made = embedding.then(() => embedNow(documents));
  embedding = made.catch(() => {});
  return made;
}

async function embedNow(documents) {
  await (loading ??= load());
  const items = Object.entries(documents).map(([docid, {roots}]) =>
    ({docid, roots, root_ids: Object.keys(roots)}));
  const json = Object.fromEntries(
    Object.entries(documents).map(([docid, document]) => [docid, document.json]));
  const isGone = items.some(({roots}) => Object.values(roots).some(id => !document.getElementById(id)));
  if (isGone) return {roots: new Map(), remove() {}};   // left meanwhile
  const {Bokeh} = globalThis;
  const before = Bokeh.documents.length, viewport = listenersOf(globalThis.visualViewport);
  const managers = await Bokeh.embed.embed_items(json, items).finally(viewport.found);
  const places = Object.assign({}, ...items.map(({roots}) => roots));
  const made = Bokeh.documents.slice(before);
  return {
    roots: new Map(made.flatMap(each => each.roots()).map(root => [document.getElementById(places[root.id]), root])),
    remove() {
      for (const each of [...managers, ...made]) each.clear();
      Bokeh.documents.splice(0, Infinity, ...Bokeh.documents.filter(each => !made.includes(each)));
      viewport.remove();
    },
  };
}

/**
 * What listens to a target from now until `found` is called, to be removed: Bokeh's plots never let
 * go of the visual viewport, which holds them, and all of the page that they were on, for good.
 */
function listenersOf(target) {
  const added = [];
  target.addEventListener = (kind, listener) => {
    added.push([kind, listener]);
    EventTarget.prototype.addEventListener.call(target, kind, listener);
  };
  return {
    found() { delete target.addEventListener; },
    remove() { for (const [kind, listener] of added) target.removeEventListener(kind, listener); },
  };
}
