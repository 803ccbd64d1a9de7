// Reads each text as a trace: its columns, or what is said to what is none.
import {readFileSync} from "node:fs";
import {readTrace} from "#modules/core/lab/trace_file.mjs";

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(text => {
  const {requests, wrong} = readTrace(text);
  return requests ? Object.values(requests).map(values => [...values]) : wrong;
})));
