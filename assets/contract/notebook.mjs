// The page in a notebook cell: `scenario` in step with the sliders, both ways.
import {Client} from "./client.mjs";

/** @param {string} text */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** @param {{model: any}} panel what Panel gives: `widget` is the cell's object */
export function render({model: widget}) {
  let last = "";
  const tell = () => {
    const text = JSON.stringify(widget.scenario);
    if (text === last) return;
    last = text;
    client.say("setState", {scenario: widget.scenario});
  };
  const client = new Client(({type, scenario}) => {
    if (type === "ready") tell();
    if (type === "state") {
      last = JSON.stringify(scenario);
      widget.scenario = scenario;
    }
  });
  unpacked(widget.page).then(page => { client.frame.srcdoc = page; });
  widget.on("scenario", tell);
  widget.on("remove", () => client.close());
  return client.frame;
}
