// A trace of the reader's own: a file that is chosen, or dropped anywhere on the lab.
import data from "../../built/data.mjs";
import {readTrace} from "../../core/lab/trace_file.mjs";
import {sinceFirst} from "../../core/lab/traces.mjs";
import {shortened} from "../../core/text.mjs";
import {all} from "../dom.mjs";
import {labelOf} from "./fields.mjs";

/**
 * @param {HTMLElement} root
 * @param {(own: {name: string, requests: any} | null) => void} take is told another trace, or none
 * @param {(text: string) => void} complain
 */
export function ownTrace(root, take, complain) {
  const [input] = all(root, '[type="file"]'), [forget] = all(root, ".forget");
  let refused = "";   // why none is taken

  async function read(file) {
    if (refused) return complain(refused);
    const name = shortened(file.name);
    if (file.size > data.lab.most_bytes) {
      return complain(`${name}: a file of more than ${data.lab.most_bytes / 1e6} MB; the command \`simulate --trace\` replays any.`);
    }
    const text = await file.text().catch(() => null);   // a folder, or a file that has gone
    if (text === null) return complain(`${name}: it cannot be read. Choose a CSV file.`);
    const {requests, wrong} = readTrace(text);
    if (wrong) return complain(`${name}: ${wrong}.`);
    show({name, requests: sinceFirst(requests)});
  }

  function show(own) {
    complain("");
    forget.hidden = !own;
    take(own);
  }

  input.addEventListener("click", event => {
    if (!refused) return;
    event.preventDefault();   // nothing is to be chosen
    complain(refused);
  });
  input.addEventListener("change", () => {
    if (input.files.length) read(input.files[0]);
    input.value = "";   // the same file can be read again, as it is then
  });
  forget.addEventListener("click", () => {
    input.focus();   // the button goes
    show(null);
  });
  root.addEventListener("dragover", event => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  root.addEventListener("drop", event => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    read(file);
  });

  return {
    /** A trace has itself what is drawn: where some of that is locked, none is taken. */
    lock(keys) {
      const key = data.lab.drawn.find(each => keys.includes(each));
      const label = key && (data.inputs[key]?.label ?? labelOf(root.querySelector(`[name="${key}"]`)));
      refused = label ? `A trace of your own would change what is locked here: ${label}.` : "";
    },
  };
}
