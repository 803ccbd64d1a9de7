// Moves of sliders and all else that changes the state, at machine speed.
import assert from "node:assert/strict";
import {test} from "node:test";
import {isDeepStrictEqual} from "node:util";
import {setFlagsFromString} from "node:v8";
import {runInNewContext} from "node:vm";

import {draws, fuzz, harmless} from "../hostile.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {fromAddress, query} from "#modules/core/address.mjs";
import {complaint} from "#modules/core/complaint.mjs";
import {defaults, stops} from "#modules/core/rules.mjs";
import {defaultSettings} from "#modules/core/settings.mjs";
import {Store} from "#modules/core/store.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const SLIDERS = ["params_b", "gqa", "context", "batch", "spec_k", "alpha"];

/** A move by chance: a stop of now, or an index from a list of before; gives what was wrong. */
function moved(store, {below, one, key, taken, any}, before) {
  const slider = one(SLIDERS);
  return one([
    () => store.move(slider, one(stops(slider, store.report))),
    () => store.move(slider, stops(slider, store.report)[one([-1, 0, 99, 0.5, NaN, below(40)])]),
    () => store.move("gqa", one(stops("gqa", before))),
    () => { const name = key(); return store.move(name, taken(name)); },
    () => store.move(key(), any()),
    () => { const name = key(); return store.set({[name]: taken(name), [key()]: any()}); },
    () => store.open(one([{...store.state, [key()]: any()}, defaults, store.home])),
    () => { store.lock = one([[], SLIDERS, [slider]]); },
    () => void store.reset(),
    () => void store.undo(),
    () => void store.settle(),
  ])();
}

test("no sequence of moves leads to what the rules refuse", () => {
  fuzz(chance => {
    const drawn = draws(chance), store = new Store(defaults, {...defaults, active_b: 5, experts: 8, top_k: 2});
    let before = store.report;
    for (let times = 0; times < 100; times++) {
      const {state, report} = store;
      const wrong = moved(store, drawn, before);
      if (wrong) {
        harmless(wrong);
        assert.ok(store.state === state && store.report === report, wrong);
      }
      assert.equal(complaint(store.state, []), undefined);
      // What came from elsewhere may also change what is locked.
      const kept = ["set", ""].includes(store.moved) ? [] : store.lock;
      assert.ok(kept.every(each => Object.is(store.state[each], state[each])), JSON.stringify([kept, state, store.state]));
      // The words for what differs would take Node minutes.
      assert.ok(isDeepStrictEqual(store.report, evaluate(store.state)), JSON.stringify(store.state));
      before = report;
    }
    const search = query(store.state, defaultSettings), again = fromAddress(search);
    assert.deepEqual([again.state, again.notes], [store.state, []], search);
    store.settle();
  }, 60);
});

test("a hundred thousand moves leave nothing behind", async () => {
  const store = new Store(defaults, defaults);
  const run = async times => {
    for (let i = 0; i < times; i++) {
      const key = SLIDERS[i % SLIDERS.length], list = stops(key, store.report);
      store.move(key, list[i % list.length]);
    }
    store.settle();
    await new Promise(done => { setTimeout(done); });   // Node's own record of the timers goes late
    collect();
    return process.memoryUsage().heapUsed;
  };
  const first = await run(10_000), last = await run(100_000);
  assert.ok(last - first < 200_000, `${last - first} bytes more`);
});
