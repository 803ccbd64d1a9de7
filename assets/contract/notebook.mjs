// The page in a notebook cell: `scenario` in step with the sliders, both ways.
import {Client} from "./client.mjs";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

export function render({model}) {
  let last = "";
  const tell = () => {
    const text = JSON.stringify(model.scenario);
    if (text === last) return;
    last = text;
    client.say("setState", {scenario: model.scenario});
  };
  const client = new Client(({type, scenario}) => {
    if (type === "ready") tell();
    if (type === "state") {
      last = JSON.stringify(scenario);
      model.scenario = scenario;
    }
  });
  unpacked(model.page).then(page => { client.frame.srcdoc = page; });
  model.on("scenario", tell);
  model.on("remove", () => client.close());
  return client.frame;
}
