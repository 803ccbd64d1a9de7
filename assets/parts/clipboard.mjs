// A text to the clipboard, and a button that says so for a while.

/** How long a button says what it did. [ms] */
const FEEDBACK_MS = 2000;

/**
 * Whether the text is there: in a frame without permission there is no clipboard.
 * @param {HTMLElement} button
 * @param {string} text
 * @param {string} label of the button, which it has again afterwards
 */
export async function copied(button, text, label) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, FEEDBACK_MS);
  return true;
}
