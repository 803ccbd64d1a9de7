import assert from "node:assert/strict";
import {test} from "node:test";

import {defaultSettings, settingValue} from "#modules/core/settings.mjs";

/** A setting's value, and the notes on it. */
function read(key, text) {
  const notes = [];
  const value = settingValue(key, text, (name, why) => notes.push(`${name}: ${why}`));
  return {value, notes};
}

test("an option is one of its options", () => {
  assert.deepEqual(read("theme", "dark"), {value: "dark", notes: []});
  assert.deepEqual(read("theme", "pink"), {value: undefined, notes: ["pink: allowed is one of auto, light, dark"]});
  assert.equal(read("units", "gib").value, undefined);
  assert.equal(read("theme", "").value, undefined);
});

test("a list is some of its options, each once", () => {
  assert.deepEqual(read("show", "meter,readouts"), {value: ["meter", "readouts"], notes: []});
  assert.deepEqual(read("lock", "batch,,batch,kv,").value, ["batch", "kv"]);
  assert.deepEqual(read("show", ""), {value: [], notes: []});
});

test("what a list has no option of takes no good one with it", () => {
  const {value, notes} = read("lock", "batch,drop,__proto__,kv");
  assert.deepEqual(value, ["batch", "kv"]);
  assert.deepEqual(notes.map(each => each.split(": allowed is one of all, ")[0]), ["drop", "__proto__"]);
});

test("what a later version has is left out of what is asked for, and noted", () => {
  assert.deepEqual(read("view", "full"), {value: undefined, notes: ["full: this version has no such view yet"]});
});

test("an id is words with dashes between", () => {
  for (const text of ["kv", "int4-one-reader", "70b-chat--what-binds"]) assert.deepEqual(read("exercise", text), {value: text, notes: []});
  for (const text of ["", "A", "-a", "a-", "a---b", "a b", "<script>", "a".repeat(81)]) {
    assert.deepEqual(read("exercise", text), {value: undefined, notes: [`${text}: allowed is the id of an exercise, such as a-question`]});
  }
});

test("to hide what is not there is no mistake", () => {
  assert.deepEqual(read("hide", "lab,meter"), {value: ["lab", "meter"], notes: []});
});

test("an origin is a scheme and a host, in one form", () => {
  for (const text of [
    "https://lms.example", "https://LMS.example/", " HTTPS://lms.example:443 ", "https:lms.example",
    "https:\\\\lms.example", "https://lms.\texample", "https://%6cms.example", "https://ｌｍｓ.example",
  ]) {
    assert.deepEqual(read("origin", text), {value: "https://lms.example", notes: []}, text);
  }
  assert.equal(read("origin", "http://localhost:8888").value, "http://localhost:8888");
  assert.equal(read("origin", "http://[::1]:80").value, "http://[::1]");
  assert.equal(read("origin", "https://bücher.example").value, "https://xn--bcher-kva.example");
  for (const text of [
    "", "*", "null", "lms.example", "//lms.example", "https://", "https://lms.example/course", "https://lms.example?a",
    "https://lms.example/#a", "https://me@lms.example", "javascript:alert(1)", "data:text/html,x", "file:///", "https://a b",
    "about:blank", "blob:https://lms.example/1", "ftp://lms.example", "https://*", "https://*.lms.example", "https://lms.example:99999",
    "https://lms.example,https://other.example", "https://lms.example https://other.example", "https://[::1",
  ]) {
    assert.deepEqual(read("origin", text),
      {value: undefined, notes: [`${text}: allowed is an origin, such as https://lms.example`]}, text);
  }
});

test("without an address everything is as usual", () => {
  const {view, show, hide, lock, exercise, theme, units, origin, ...lab} = defaultSettings;
  assert.deepEqual({view, show, hide, lock, exercise, theme, units, origin}, {
    view: "widget", show: [], hide: [], lock: [], exercise: "", theme: "auto", units: "GB", origin: "",
  });
  // The batching lab's begin with what the lesson tells: a static batch against a continuous one.
  assert.equal(lab.policy, "static");
  assert.equal(lab.other_policy, "continuous");
});

test("a number is one in its range", () => {
  assert.deepEqual(read("requests", "1,000"), {value: "1000", notes: []});
  assert.deepEqual(read("rate", "2.5"), {value: "2.5", notes: []});
  assert.equal(read("rate", "1e-305").value, undefined);
  assert.deepEqual(read("chunk", "1K"), {value: "1024", notes: []});
  for (const text of ["0", "2001", "1.5", "many", "", "-1"]) {
    assert.deepEqual(read("requests", text), {value: undefined, notes: [`${text}: allowed is a whole number from 1 to 2,000`]});
  }
});

test("0 is offered only where it is allowed", () => {
  for (const [key, said] of [["speed", /^allowed is a number from 0.01 /], ["load", /none but 0$/]]) {
    let why = "";
    assert.equal(settingValue(key, "1e-10", (_, reason) => { why = reason; }), undefined);
    assert.match(why, said);
  }
});
