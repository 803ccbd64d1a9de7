// The line on top: the way to the exercises, the unit of memory, the colours, the link to this state.
import {note} from "./notes.mjs";

/** How long a button says what it did. [ms] */
const FEEDBACK_MS = 2000;

/**
 * @param {HTMLElement} root
 * @param shell what is around: `choose` changes settings, `address` has the page's link and query,
 *   `unshared` says what that does not hold
 */
export function header(root, {choose, address, unshared}) {
  const [exercises, lab, explorer, unitButton, themeButton, share] = ["exercises", "lab", "explorer", "units", "theme", "share"].map(id => root.querySelector(`#${id}`));
  let now = {theme: "light", units: "GB"};

  exercises.addEventListener("click", () => choose({view: "exercises"}));
  lab.addEventListener("click", () => choose({view: "lab", exercise: ""}));
  explorer.addEventListener("click", () => choose({view: "explorer", exercise: ""}));
  unitButton.addEventListener("click", () => choose({units: now.units === "GB" ? "GiB" : "GB"}));
  themeButton.addEventListener("click", () => choose({theme: now.theme === "dark" ? "light" : "dark"}));
  share.addEventListener("click", async () => {
    const {link} = address;
    if (!link) {
      note(root, `Here the page has no address of its own. Behind one that it has elsewhere, this state is: ${address.query()}`);
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      share.textContent = "Copied";
      if (unshared()) note(root, unshared());
    } catch {
      // No clipboard in a frame without permission: show the link, to be copied by hand.
      note(root, [`Link to this state: ${link}`, unshared()].filter(Boolean).join(" – "));
    }
    setTimeout(() => { share.textContent = "Share"; }, FEEDBACK_MS);
  });

  return {
    /** As the page is shown: "light" or "dark", its unit, its view. */
    present({theme, units, view}) {
      now = {theme, units};
      exercises.hidden ||= view === "exercises";
      lab.hidden ||= view === "lab";
      explorer.hidden ||= view === "explorer";
      unitButton.textContent = units;
    },
  };
}
