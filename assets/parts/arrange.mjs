// Which parts of the page are there, and which controls can be moved.

/**
 * Hide what `show` leaves out and what `hide` names; gives the charts that are left.
 * @param {import("../built/data.mjs").Settings} page
 */
export function arrange({show, hide}) {
  const there = part => (!show.length || show.includes(part)) && !hide.includes(part);
  for (const element of document.querySelectorAll("[data-part]")) {
    element.hidden = !there(element.dataset.part);
  }
  const tabs = [...document.querySelectorAll('[role="tab"]')].filter(tab => !tab.hidden);
  document.querySelector(".charts").hidden = !tabs.length;
  document.querySelector(".tabs").hidden = tabs.length === 1;
  const results = document.querySelector(".results");
  const parts = /** @type {HTMLElement[]} */ ([...results.children]);
  results.hidden = parts.every(part => part.hidden);
  document.documentElement.classList.toggle("alone", !there("controls") || results.hidden);
  return tabs;
}
