// The question of an exercise: its text, its hints one at a time, and what can be answered.
import {filled, optionText, typedReply, wantedNumber} from "../../core/words/exercise.mjs";
import {percent, shownUnit} from "../../core/words/format.mjs";
import {all, element, paragraphs} from "../dom.mjs";
import {mark} from "../terms.mjs";

/** `lockIn` gets the reply. */
export function question(root, lockIn) {
  const place = name => root.querySelector(`.${name}`);
  const choices = place("choices"), error = place("error"), hint = place("hint-next"), hints = place("hints");
  let exercise = null;
  let order = [];   // ids, in the order in which they were pressed

  root.addEventListener("submit", event => {
    event.preventDefault();
    const reply = replyNow();
    error.textContent = reply === undefined ? wanted() : "";
    if (reply !== undefined) return void lockIn(reply);
    choices.querySelector("input, button").focus();
  });
  root.addEventListener("input", () => { error.textContent = ""; });
  hint.addEventListener("click", () => {
    const n = hints.childElementCount;
    hints.append(element("li", filled(exercise.hints[n], exercise)));
    mark(hints.lastChild);
    offer();
    // The keyboard does not lose its place with the last of them.
    if (hint.hidden) root.querySelector(".primary").focus();
  });

  function offer() {
    const left = exercise.hints.length - hints.childElementCount;
    hint.hidden = !left;
    hint.textContent = hints.childElementCount ? "Another hint" : "Hint";
  }

  function wanted() {
    const {kind, options} = exercise.prediction;
    if (!options.length) return wantedNumber(exercise.prediction);
    return kind === "order" ? "Put all of them in order first." : "Choose one first.";
  }

  /** The reply as it stands, or undefined where there is none yet. */
  function replyNow() {
    const {kind, options} = exercise.prediction;
    if (kind === "order") return order.length === options.length ? order : undefined;
    if (options.length) return choices.querySelector("input:checked")?.value;
    const number = typedReply(choices.querySelector("input").value, exercise.prediction);
    return Number.isFinite(number) ? number : undefined;
  }

  function field() {
    const input = Object.assign(element("input"), {type: "text", inputMode: "decimal", enterKeyHint: "done"});
    const label = element("label", input, element("span"));
    label.className = "typed";
    return [label];
  }

  function pills({options}) {
    return options.map(({id}) => {
      const input = Object.assign(element("input"), {type: "radio", name: "prediction", value: id});
      const label = element("label", input, element("span"));
      label.className = "pill";
      return label;
    });
  }

  /** Buttons that are pressed one after the other; one that is pressed again is none any more. */
  function steps(prediction) {
    return prediction.options.map(option => {
      const button = Object.assign(element("button"), {type: "button", className: "pill"});
      button.dataset.id = option.id;
      button.addEventListener("click", () => {
        order = order.includes(option.id) ? order.filter(id => id !== option.id) : [...order, option.id];
        error.textContent = "";
        number();
      });
      button.append(element("i"), optionText(option, prediction));
      return button;
    });
  }

  function number() {
    for (const button of all(choices, "button[data-id]")) {
      const n = order.indexOf(button.dataset.id) + 1;
      button.setAttribute("aria-pressed", String(n > 0));
      button.firstChild.textContent = n ? `${n}. ` : "";
    }
  }

  return {
    /** A question that nothing is answered to yet; its texts follow with `write`. */
    show(next) {
      exercise = next;
      order = [];
      const {prediction} = exercise, {kind, options} = prediction;
      choices.replaceChildren(
        ...kind === "order" ? steps(prediction) : options.length ? pills(prediction) : field());
      place("how").hidden = kind !== "order";
      number();
      error.textContent = "";
      hints.replaceChildren();
      offer();
    },

    /** What is asked, in the page's units, and what of the same deployment is locked in already. */
    write(lockedIn) {
      const {prediction, text} = exercise, {unit} = shownUnit(prediction.unit ?? "");
      const margin = `within ${percent(prediction.tolerance ?? 0)} is right`;
      place("locked-in").textContent = lockedIn;
      place("told").replaceChildren(...paragraphs(filled(text, exercise)));
      place("question").textContent = filled(exercise.question, exercise);
      [...hints.children].forEach((line, i) => line.replaceChildren(filled(exercise.hints[i], exercise)));
      for (const each of [...place("told").children, ...hints.children]) mark(each);
      all(choices, ".pill span").forEach((span, i) => span.replaceChildren(optionText(prediction.options[i], prediction)));
      for (const {firstChild: input, lastChild: span} of all(choices, ".typed")) {
        input.setAttribute("aria-label", `Your prediction${unit && `, in ${unit}`}, ${margin}`);
        span.replaceChildren(unit, element("small", margin));
      }
    },

    focus() {
      place("question").focus();
    },
  };
}
