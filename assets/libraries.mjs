// Bokeh, Panel and the Material widgets: fetched after the first numbers are painted.

// Panel imports the Material bundle through this hook; a plain import() is all it needs.
globalThis.importShim ??= Object.assign(url => import(url), {addImportMap() {}});

function script(url) {
  return new Promise((resolve, reject) => {
    const tag = document.createElement("script");
    tag.src = url;
    tag.async = false;
    tag.onload = resolve;
    tag.onerror = () => reject(new Error(`${url} could not be loaded`));
    document.head.append(tag);
  });
}

/** Load everything, put widgets and figures into their places; gives both Bokeh documents. */
export async function loadLibraries() {
  const links = [...document.querySelectorAll('link[rel="preload"][as="script"]')];
  const text = fetch(new URL("documents.json", import.meta.url)).then(answer => answer.text());
  await Promise.all(links.map(link => script(link.href)));
  const here = new URL(".", import.meta.url).href.slice(0, -1);
  const documents = JSON.parse((await text).replaceAll("{assets}", here));
  const items = Object.entries(documents).map(([docid, {roots}]) =>
    ({docid, roots, root_ids: Object.keys(roots)}));
  const json = Object.fromEntries(
    Object.entries(documents).map(([docid, document]) => [docid, document.json]));
  const {Bokeh} = globalThis;
  const before = Bokeh.documents.length;
  await Bokeh.embed.embed_items(json, items);
  const [controls, figures] = Bokeh.documents.slice(before);
  return {controls, figures};
}
