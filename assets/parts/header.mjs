// The line on top: the way to the exercises, the unit of memory, the colours, the link to this state.
import {copied} from "./clipboard.mjs";
import {note} from "./notes.mjs";

/** Views that it leads to, each by a button of its name. */
const VIEWS = ["exercises", "lab", "explorer"];

/**
 * @param {HTMLElement} root
 * @param shell what is around: `choose` changes settings, `address` has the page's link and query,
 *   `unshared` says what that does not hold
 */
export function header(root, {choose, address, unshared}) {
  const button = id => root.querySelector(`#${id}`);
  const ways = VIEWS.map(button), [unitButton, themeButton, share] = ["units", "theme", "share"].map(button);
  let now = {theme: "light", units: "GB"};

  for (const way of ways) {
    // The exercises go on where they were; in the other views there is none.
    way.addEventListener("click", () => choose({view: way.id, ...way.id === "exercises" ? {} : {exercise: ""}}));
  }
  unitButton.addEventListener("click", () => choose({units: now.units === "GB" ? "GiB" : "GB"}));
  themeButton.addEventListener("click", () => choose({theme: now.theme === "dark" ? "light" : "dark"}));
  share.addEventListener("click", async () => {
    const {link} = address;
    if (!link) {
      note(root, `Here the page has no address of its own. Behind one that it has elsewhere, this state is: ${address.query()}`);
      return;
    }
    // Without a clipboard the link is shown, to be copied by hand.
    const said = await copied(share, link, "Share") ? [] : [`Link to this state: ${link}`];
    if (unshared()) said.push(unshared());
    if (said.length) note(root, said.join(" – "));
  });

  return {
    /** As the page is shown: "light" or "dark", its unit, its view. */
    present({theme, units, view}) {
      now = {theme, units};
      for (const way of ways) way.hidden ||= view === way.id;
      unitButton.textContent = units;
    },
  };
}
