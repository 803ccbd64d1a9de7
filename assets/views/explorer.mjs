// The explorer: studies of the present state in the charts' place, one at a time, beside the controls.
import {css, figures, html} from "../built/explorer_face.mjs";
import {adopt, all, element} from "../parts/dom.mjs";
import {embedded} from "../parts/embedded.mjs";
import {assumed} from "../parts/explorer/assumed.mjs";
import {compare} from "../parts/explorer/compare.mjs";
import {config} from "../parts/explorer/config.mjs";
import {cost} from "../parts/explorer/cost.mjs";
import {fit} from "../parts/explorer/fit.mjs";
import {levers} from "../parts/explorer/levers.mjs";
import {routing} from "../parts/explorer/routing.mjs";
import {speculation} from "../parts/explorer/speculation.mjs";
import {sweep} from "../parts/explorer/sweep.mjs";
import {take} from "../parts/explorer/take.mjs";
import {fields} from "../parts/fields.mjs";
import {saves} from "../parts/saves.mjs";
import {summary} from "../parts/summary.mjs";
import {tabs} from "../parts/tabs.mjs";

/**
 * What each study is made by, given its panel and the store; its tab is in app/explorer.py.
 * @type {Record<string, (root: HTMLElement, store: any, shell: any) => any>}
 */
const STUDIES = {levers, fit, cost, sweep, speculation, routing, compare, assumed, config, take};

/**
 * Put the explorer in the place of the charts.
 * @param {HTMLElement} root of the whole page
 * @param store
 * @param shell what is around: `choose` changes settings, `link` gives the address of this state,
 *   `isFramed` says whether another page is around, `embed` puts figures into their places;
 *   a study is also given `chart`, the widget's open one
 */
export function view(root, store, shell) {
  const {choose, embed} = shell;
  const dropSheet = adopt(css);
  const explorer = document.createRange().createContextualFragment(html).querySelector(".explorer");
  root.querySelector(".results > .charts").before(explorer);
  root.classList.add("in-explorer");
  const chart = () => root.querySelector(".charts [data-chart]:not([hidden])");
  const panel = name => explorer.querySelector(`.study.${name}`);
  const studies = Object.fromEntries(Object.entries(STUDIES).map(([name, make]) => [name, make(panel(name), store, {...shell, chart})]));
  const under = tabs(explorer, study => choose({study}));
  const form = fields(explorer, choose, text => { panel(under.current).querySelector(":scope > .error").textContent = text; });
  let frame = 0, remove = () => {}, pinned = null;
  const dropSummary = summary(root, store, shell.link, () => pinned);

  for (const each of all(explorer, "[data-chart]")) {
    const line = element("p", "Save ", ...saves(() => each, store, ["svg", "png", "csv"]));
    line.className = "saves";
    each.append(line);
  }
  explorer.querySelector(".leave").addEventListener("click", () => choose({view: "widget"}));

  /** The study that is open follows the state; the others are not computed. */
  function show() {
    frame = 0;
    if (explorer.isConnected) studies[under.current].show(store);
  }

  function changed() {
    frame ||= requestAnimationFrame(show);
  }

  // What is pressed, or copied, is of the present state, also where that is not yet shown.
  explorer.addEventListener("click", () => {
    cancelAnimationFrame(frame);
    if (frame) show();
  }, true);

  function connect(roots) {
    for (const each of Object.values(studies)) each.connect?.(roots);
  }

  return {
    open() {
      remove = embedded(embed, {explorer: figures}, connect);
      store.addEventListener("change", changed);
      store.addEventListener("settle", changed);
      return [];
    },
    present(look) {
      ({pinned} = look);
      under.select(look.settings.study);
      under.present();
      form.show(look.settings);
      form.lock(look.lock);
      for (const each of Object.values(studies)) each.present?.(look);
      show();
    },
    focus() {
      explorer.querySelector("h2").focus();
    },
    close() {
      store.removeEventListener("change", changed);
      store.removeEventListener("settle", changed);
      explorer.remove();
      remove();
      dropSummary();
      root.classList.remove("in-explorer");
      dropSheet();
    },
  };
}
