// One of many: a list that a field above it filters, as one looks for a card by its name; arrow keys
// walk in it, Enter chooses.
import {isConfig} from "../../core/own_models.mjs";
import {options} from "../../core/words/options.mjs";
import {all, element, isEnter} from "../dom.mjs";

export function select(root, {key, store, set}) {
  const field = root.querySelector("input");
  const list = root.querySelector('[role="listbox"]');
  let active = null;   // the option that Enter would choose

  /** The list anew, as it is to be seen when it opens. */
  function fill() {
    field.value = "";
    list.replaceChildren(...options(key).map(({id, name, facts}, i) => {
      const option = element("li", element("b", name), element("span", facts));
      Object.assign(option, {id: `${list.id}-${isConfig(id) ? i : id}`, role: "option"});
      Object.assign(option.dataset, {value: id, text: `${name} ${isConfig(id) ? "" : id}`.toLowerCase()});
      return option;
    }));
    mark(store);
    walk(list.querySelector('[aria-selected="true"]'), "center");
  }

  function mark({state}) {
    for (const option of list.children) {
      option.setAttribute("aria-selected", String(option.dataset.value === state[key]));
    }
  }

  function filter() {
    const words = field.value.toLowerCase().split(" ");
    for (const option of list.children) {
      option.hidden = !words.every(word => option.dataset.text.includes(word));
    }
    walk(matches()[0]);
  }

  const matches = () => all(list, "li:not([hidden])");

  function walk(option, block = "nearest") {
    active?.classList.remove("active");
    active = option ?? null;
    active?.classList.add("active");
    active?.scrollIntoView({block});
    field.setAttribute("aria-activedescendant", active?.id ?? "");
    root.querySelector(".none").hidden = !!matches().length;
  }

  function pick(option) {
    if (!option || field.disabled) return;
    if (!set(option.dataset.value)) return;
    root.dispatchEvent(new CustomEvent("pick", {bubbles: true}));
  }

  field.addEventListener("input", filter);
  field.addEventListener("keydown", event => {
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5}[event.key];
    if (step) {
      event.preventDefault();
      const rows = matches(), at = rows.indexOf(active) + step;
      walk(rows[Math.min(Math.max(at, 0), rows.length - 1)]);
    } else if (isEnter(event)) {
      event.preventDefault();
      pick(active);
    }
  });
  // The field keeps the focus, or takes it: what is typed in another one is entered before the choice.
  list.addEventListener("pointerdown", event => {
    event.preventDefault();
    if (document.activeElement.matches("input")) field.focus({preventScroll: true});
  });
  list.addEventListener("click", event => pick(event.target.closest("li")));
  const around = root.closest("[popover]");
  if (around) around.addEventListener("beforetoggle", ({newState}) => newState === "open" && fill());
  else fill();

  return {
    show: mark,
    lock(isLocked) {
      field.disabled = isLocked;
    },
  };
}
