// A trace of the reader's own: a file that is chosen, or dropped anywhere on the lab.
import data from "../../built/data.mjs";
import {readTrace, textOf} from "../../core/lab/trace_file.mjs";
import {sinceFirst} from "../../core/lab/traces.mjs";
import {shortened} from "../../core/text.mjs";
import {all} from "../dom.mjs";
import {labelOf} from "../fields.mjs";
import {takesFiles} from "../files.mjs";

/**
 * @param {HTMLElement} root
 * @param {(own: import("../../core/lab/traces.mjs").Own) => string} take is told another trace, or none; gives
 *   why it cannot be served, and then nothing has changed
 * @param {(text: string) => void} complain
 */
export function ownTrace(root, take, complain) {
  const [input] = all(root, '[type="file"]'), [forget] = all(root, ".forget");
  let refused = "";   // why none is taken
  let last = 0;       // how often one was chosen, or let go: only the last one counts

  async function read(file) {
    if (refused) return complain(refused);
    const name = shortened(file.name), mine = ++last;
    if (file.size > data.lab.most_bytes) {
      return complain(`${name}: a file of more than ${data.lab.most_bytes / 1e6} MB; the command \`simulate --trace\` replays any.`);
    }
    const bytes = await file.arrayBuffer().catch(() => null);   // a folder, or a file that has gone
    if (mine !== last) return;
    if (!bytes) return complain(`${name}: it cannot be read. Choose a CSV file.`);
    const {requests, lines, wrong} = readTrace(textOf(new Uint8Array(bytes)));
    complain(wrong ? `${name}: ${wrong}.` : take({name, requests: sinceFirst(requests), lines}));
  }

  input.addEventListener("click", event => {
    if (!refused) return;
    event.preventDefault();   // nothing is to be chosen
    complain(refused);
  });
  takesFiles(root, input, read);
  forget.addEventListener("click", () => {
    last++;
    root.querySelector("h2").focus();   // the button goes
    complain(take(null));
  });

  return {
    /** A trace has itself what is drawn: where some of that is locked, none is taken. */
    lock(keys) {
      const key = data.lab.drawn.find(each => keys.includes(each));
      const label = key && (data.inputs[key]?.label ?? labelOf(root.querySelector(`[name="${key}"]`)));
      refused = label ? `A trace of your own would change what is locked here: ${label}.` : "";
      input.ariaDisabled = String(Boolean(refused));
    },
  };
}
