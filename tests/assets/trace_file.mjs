// Reads each file, of which it hears the bytes, as a trace: its columns, or what is said to what is none.
import {readFileSync} from "node:fs";
import {readTrace, textOf} from "#modules/core/lab/trace_file.mjs";

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(content => {
  const {requests, wrong} = readTrace(textOf(Uint8Array.from(Buffer.from(content, "hex"))));
  return requests ? Object.values(requests).map(values => [...values]) : wrong;
})));
