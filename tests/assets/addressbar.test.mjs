import assert from "node:assert/strict";
import {beforeEach, mock, test} from "node:test";

let refuses = false, visited = null;
const calls = [];

const location = globalThis.location = {protocol: "https:", href: "https://lms.example/page/", pathname: "/page/", search: "", hash: "#top"};
globalThis.history = Object.fromEntries(["pushState", "replaceState"].map(how => [how, (state, title, address) => {
  if (refuses) throw new Error("a sandboxed frame");
  calls.push([how, address]);
  location.search = new URL(address, location.href).search;
}]));
globalThis.addEventListener = (kind, listener) => { visited = listener; };

const {AddressBar} = await import("#modules/addressbar.mjs");

const page = {query: "", published: 0, visits: []};
let bar;

beforeEach(() => {
  Object.assign(page, {query: "", published: 0, visits: []});
  location.search = "";
  calls.length = 0;
  refuses = false;
  bar = new AddressBar(() => page.query, () => { page.published += 1; }, search => page.visits.push(search));
});

test("the query follows once, after a pause, and what stands behind the # stays", () => {
  mock.timers.enable({apis: ["setTimeout"]});
  for (const batch of [2, 4, 8]) {
    page.query = `?batch=${batch}`;
    bar.follow();
    mock.timers.tick(100);
  }
  assert.deepEqual([calls, page.published], [[], 0]);
  mock.timers.tick(100);
  assert.deepEqual([calls, page.published], [[["replaceState", "/page/?batch=8#top"]], 1]);
  bar.follow();   // to where it is already
  mock.timers.tick(200);
  assert.deepEqual([calls.length, page.published], [1, 2]);
  mock.timers.reset();
});

test("Back leads to where one was, and only another query is a visit", () => {
  page.query = "?view=exercises";
  bar.leave();
  assert.deepEqual(calls, [["pushState", "/page/?view=exercises#top"]]);
  visited();
  assert.deepEqual(page.visits, []);
  location.search = "?batch=2";
  visited();
  assert.deepEqual(page.visits, ["?batch=2"]);
});

test("a page without an address of its own goes on without", () => {
  refuses = true;
  page.query = "?batch=2";
  bar.leave();
  assert.equal(bar.link, "https://lms.example/page/?batch=2");
  location.protocol = "about:";
  assert.equal(bar.link, undefined);
  location.protocol = "https:";   // for whoever comes next
});
