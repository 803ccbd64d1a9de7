// A file of the reader's own: chosen, or dropped anywhere on a part of the page.

/**
 * @param {HTMLElement} root on which files may be dropped
 * @param {HTMLInputElement} input by which one is chosen
 * @param {(file: File) => void} take
 */
export function takesFiles(root, input, take) {
  input.addEventListener("change", () => {
    if (input.files?.length) take(input.files[0]);
    input.value = "";   // the same file can be read again, as it is then
  });
  root.addEventListener("dragover", event => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  root.addEventListener("drop", event => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}
