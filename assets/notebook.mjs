// The page in a notebook cell: a frame whose messages keep `scenario` in step, both ways.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), each => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

export function render({model}) {
  const frame = document.createElement("iframe");
  frame.title = "Decode arithmetic, an interactive calculator";
  frame.style.cssText = "width: 100%; height: 820px; border: 0; display: block";
  unpacked(model.page).then(page => { frame.srcdoc = page; });
  let told = "";

  const tell = () => {
    const text = JSON.stringify(model.scenario);
    if (text === told) return;
    told = text;
    frame.contentWindow?.postMessage(
      {source: "decode-arithmetic", version: 1, type: "setState", scenario: model.scenario}, "*");
  };
  const hear = ({source, data}) => {
    if (source !== frame.contentWindow || data?.source !== "decode-arithmetic") return;
    if (data.type === "ready") tell();
    if (data.type === "resize") frame.style.height = `${data.height}px`;
    if (data.type === "state") {
      told = JSON.stringify(data.scenario);
      model.scenario = data.scenario;
    }
  };

  addEventListener("message", hear);
  model.on("scenario", tell);
  model.on("remove", () => removeEventListener("message", hear));
  return frame;
}
