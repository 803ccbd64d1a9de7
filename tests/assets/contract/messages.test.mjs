// Messages without a browser: who is spoken to, who is heard. `around` is the page around.
import assert from "node:assert/strict";
import {test} from "node:test";

import {kinds} from "../hostile.mjs";
import {TO_FRAME} from "#modules/built/contract.mjs";
import {fromAddress} from "#modules/core/address.mjs";

const AROUND = "https://school.example";
const around = {said: []};
around.postMessage = (message, target) => {
  // As browsers do: an origin that is none is a SyntaxError.
  if (target !== "*") new URL(target);
  around.said.push([message, target]);
};
let hears;
Object.assign(globalThis, {
  window: {parent: around},
  location: {ancestorOrigins: [AROUND]},
  document: {referrer: "", body: {getBoundingClientRect: () => ({height: 99.5})}},
  addEventListener: (what, hear) => { hears = hear; },
  ResizeObserver: class { observe() {} },
});
const {Messages} = await import("#modules/contract/messages.mjs");
const nothing = Object.fromEntries(Object.keys(TO_FRAME).map(type => [type, () => {}]));

/** The messages of a page with such an address, and how often it was reset. */
function page(search) {
  const resets = {count: 0};
  around.said = [];
  const reset = () => { resets.count += 1; };
  const messages = new Messages(fromAddress(search).settings.origin, {...nothing, reset});
  const hear = (origin, source = around) => {
    const before = resets.count;
    hears({source, origin, data: {source: "decode-arithmetic", version: 1, type: "reset"}});
    return resets.count > before;
  };
  return {messages, hear};
}

test("what is no origin is noted, and the page around is spoken to and heard", () => {
  const {addresses} = Object.fromEntries(kinds("addresses.json"))["no origin"];
  for (const search of addresses) {
    const {messages, hear} = page(search);
    messages.say("ready");
    assert.deepEqual(around.said.map(([, target]) => target), [AROUND], search);
    assert.ok(hear(AROUND), search);
    assert.ok(!hear("https://other.example") && !hear("null") && !hear("*"), search);
  }
  assert.equal(addresses.length, 25);
});

test("an origin is spoken to and heard, however it is written", () => {
  for (const origin of ["https://lms.example", "https://LMS.example/", " https://lms.example:443", "HTTPS:lms.example"]) {
    const {messages, hear} = page(`?origin=${encodeURIComponent(origin)}`);
    messages.resize();
    assert.deepEqual(around.said.map(([, target]) => target), ["https://lms.example", "https://lms.example"]);
    assert.ok(hear("https://lms.example"), origin);
    assert.ok(!hear(AROUND) && !hear("https://lms.example:444") && !hear("http://lms.example"), origin);
    assert.ok(!hear("https://lms.example", {}), origin);
  }
});

test("a message for which nothing is done is named at the start", () => {
  const {setState, getState} = nothing;
  assert.throws(() => new Messages("", {setState, getState}), /^Error: nothing is done for the message reset$/);
});
