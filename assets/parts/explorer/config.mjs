// A model of the reader's own: its config.json pasted, dropped or opened, what became of it, and its sizes to be changed.
import {isConfig, learn, reader, whyNot} from "../../core/own_models.mjs";
import {defaults} from "../../core/rules.mjs";
import {INVITATION, UNREACHED, sentence, shown, tooLarge, typed} from "../../core/words/config.mjs";
import {all, element, isEnter, put} from "../dom.mjs";
import {takesFiles} from "../files.mjs";

/** So much text would keep the field busy for seconds. [characters] */
const MOST_PASTED = 2 ** 23;

export function config(root, store) {
  const find = selector => root.querySelector(selector);
  const [area, said, wrong, name, use, out, part] =
    ["textarea", ".said", ".wrong", ".name", ".use", ".out", ".read"].map(find);
  let lib = null;           // what reads, once it is here
  let draft = null;         // what is shown: its reading, and its text as it stands in the address
  /** @type {Record<string, any>} what was there before, and what was put in */
  let before = {model: defaults.model}, taken = {};
  let isLocked = false, last = 0;

  put(said, INVITATION);

  async function library() {
    lib ??= await reader().catch(() => null);
    if (!lib) put(wrong, UNREACHED);
    return lib;
  }

  /** What a text says, or undefined with a sentence on what is wrong. */
  function readingOf(text) {
    try {
      return lib.readConfig(text);
    } catch (error) {
      if (!(error instanceof lib.ConfigError)) throw error;
      put(wrong, error.message);
      return undefined;
    }
  }

  /** Read a text, and show what became of it; one that is none changes nothing but says so. */
  async function take(text) {
    const mine = ++last;
    put(wrong, "");
    if (!text.trim()) return void forget();
    if (!await library() || mine !== last) return;
    const reading = readingOf(text);
    if (!reading) return void forget();
    const called = lib.nameOf(reading);
    present({reading, name: called, text: lib.compact(reading, called)});
  }

  function forget() {
    draft = null;
    buttons();
    part.hidden = true;
    put(said, INVITATION);
  }

  function present(next) {
    const {reading, name: called, text} = draft = next;
    name.value = called;
    put(said, sentence(called, reading));
    for (const each of all(part, "[data-fate]")) {
      const entries = reading[each.dataset.fate];
      each.hidden = !entries.length;
      put(each.querySelector("summary span"), String(entries.length));
      each.querySelector("ul").replaceChildren(...entries.map(entry => element("li", entry)));
    }
    find("[data-fate=guesses]").open = reading.guesses.length > 0;
    find(".sizes").replaceChildren(...lib.leaves(text).map(([path, value]) => field(path, value)));
    part.hidden = false;
    buttons();
  }

  /** A size that can be changed: the model follows, if it is in use. */
  function field(path, value) {
    const {text, isFixed} = shown(value), input = Object.assign(element("input"), {value: text, disabled: isFixed});
    Object.assign(input, {name: path, autocomplete: "off", spellcheck: false});
    input.addEventListener("change", () => change(input, path, value));
    input.addEventListener("keydown", event => { if (isEnter(event)) input.blur(); });
    return element("li", element("label", element("span", path), input));
  }

  async function change(input, path, value) {
    put(wrong, "");
    const text = lib.edited(draft.text, path, typed(input.value, value)), reading = readingOf(text);
    const isTaken = reading && (!inUse() || await move({model: text}));
    if (isTaken) present({reading, name: draft.name, text});
    else input.value = shown(value).text;
    if (isTaken) all(part, ".sizes input").find(each => each.name === path)?.focus();
  }

  const inUse = () => draft !== null && draft.text === store.state.model;

  /** Another model, by the reader's hand; whether it is taken. */
  async function move(inputs) {
    await learn([inputs.model]);
    const why = whyNot(inputs.model);
    const complaint = why ? `${why}.` : store.goTo({...store.state, ...inputs}, "set");
    put(wrong, complaint);
    return !complaint;
  }

  /** Put it in, with the formats that it states; what was there comes back when it is taken out. */
  async function putIn() {
    const {state} = store, {weights, kv} = draft.reading;
    /** @type {Record<string, any>} */
    const inputs = {model: draft.text, ...weights && {weights}, ...kv && {kv}};
    // What is not converted, or has another format, would not count in the lesson's estimate.
    if (weights && state.assumptions === defaults.assumptions) inputs.real_checkpoint = 1;
    if (!await move(inputs)) return;
    const own = isConfig(state.model) ? before : state;
    before = Object.fromEntries(Object.keys({...before, ...inputs}).map(key => [key, own[key] ?? state[key]]));
    taken = {...taken, ...inputs};
    buttons();
  }

  /** What was there before, but for what has been changed since. */
  function takeOut() {
    const kept = Object.keys(before).filter(key => key === "model" || Object.is(store.state[key], taken[key]));
    return move(Object.fromEntries(kept.map(key => [key, before[key]])));
  }

  function buttons() {
    use.disabled = isLocked || !draft || inUse();
    use.textContent = inUse() ? "In use" : "Use this model";
    out.disabled = isLocked || !isConfig(store.state.model);
    name.disabled = !draft;
    for (const each of all(part, ".sizes input")) each.readOnly = isLocked;
  }

  async function open(file) {
    put(wrong, "");
    if (!await library()) return;
    if (file.size > lib.most_bytes) return void put(wrong, tooLarge(lib.most_bytes));
    const text = await file.text().catch(() => null);
    if (text === null) return void put(wrong, "The file cannot be read.");
    area.value = text;
    await take(text);
  }

  area.addEventListener("input", () => take(area.value));
  area.addEventListener("paste", event => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= MOST_PASTED) return;
    event.preventDefault();
    put(wrong, tooLarge(MOST_PASTED));
  });
  use.addEventListener("click", putIn);
  out.addEventListener("click", async () => {
    await takeOut();
    area.focus();
  });
  name.addEventListener("change", async () => {
    const text = lib.compact(draft.reading, name.value.trim() || lib.nameOf(draft.reading)), {reading} = draft;
    if (inUse() && !await move({model: text})) return;
    present({reading, name: lib.nameOf(lib.readConfig(text)), text});
  });
  takesFiles(root, find('[type="file"]'), open);

  return {
    show({state}) {
      // One that came with the address, or by Undo, is shown as if it had been pasted.
      if (isConfig(state.model) && state.model !== draft?.text) {
        area.value = JSON.stringify(JSON.parse(state.model), null, 1);
        take(state.model);
      }
      buttons();
    },
    present({lock}) {
      isLocked = lock.includes("model");
    },
  };
}
