// Each pair of ways of serving has a sentence that names what differs, whichever comes first.
import assert from "node:assert/strict";
import {test} from "node:test";
import {defaults} from "#modules/core/rules.mjs";
import {defaultSettings} from "#modules/core/settings.mjs";
import {crossing, load, unpaced} from "#modules/core/lab/load.mjs";
import {obstacle, replays, unused} from "#modules/core/lab/replays.mjs";
import {TOTALS, knee, name, roomless, sentence, trace} from "#modules/core/words/lab.mjs";
import {nextEnd} from "#modules/core/lab/passes.mjs";
import {peaks, steps, table} from "#modules/parts/lab/gaps.mjs";
import {draw as drawLoad} from "#modules/parts/lab/load.mjs";

const lab = changes => ({...defaultSettings, ...changes});
const of = (changes, inputs = {prompt: 1000}) => {
  const [first, second] = replays({...defaults, ...inputs}, lab(changes));
  assert.ok(!first.refused && !second.refused);
  return {first, second, said: sentence(first, second)};
};

test("a static batch waits, and says for how much of its time", () => {
  const {first, second, said} = of({});
  // All requests are there at once and all slots are filled again, but for those that nobody is left for.
  const empty = 100 * (1 - first.totals.slot_utilisation);
  const held = Number(/^The static batch waits for its longest answer: (\d+) % of its slot time is held and empty\./.exec(said)[1]);
  assert.ok(held <= empty + 0.5 && held > empty - 5, `${held} of ${empty}`);
  const gain = second.totals.tokens_per_s / first.totals.tokens_per_s;
  assert.ok(gain > 2 && gain < 3);   // the lesson's, and Orca's, on such a mix
  assert.ok(said.includes(`${gain.toPrecision(3)}× the throughput`));
  const {said: turned} = of({policy: "continuous", other_policy: "static"});
  assert.ok(turned.startsWith(said.split(".")[0]));
});

test("chunks and GPUs of their own are named as what makes waits short", () => {
  for (const smooth of ["chunked", "disaggregated"]) {
    for (const turned of [false, true]) {
      const ways = turned ? {policy: "continuous", other_policy: smooth} : {policy: smooth, other_policy: "continuous"};
      const {first, second, said} = of({...ways, rate: "4", requests: "200", slots: "32"});
      const [low, high] = [first, second].map(each => each.totals.itl_p99_s).sort((a, b) => a - b);
      assert.ok(low < high, smooth);
      assert.ok(said.indexOf(`${(1e3 * low).toPrecision(3)} ms`) < said.indexOf(`${(1e3 * high).toPrecision(3)} ms`), said);
    }
  }
});

test("what memory holds differs where only its allotment does", () => {
  const {first, second, said} = of({policy: "continuous", allocator: "contiguous"});
  assert.equal(name(first, second), "Continuous, contiguous");
  assert.ok(first.totals.kv_holding_fraction < 0.382 && second.totals.kv_holding_fraction > 0.96);
  assert.match(said, /^Of the memory that is taken, 2\d % holds tokens when it is contiguous, over 99 % when it is paged; either way up to 8 readers at once\./);
});

test("a static batch that is the faster one is not blamed", () => {
  const contiguous = {policy: "static", other_policy: "continuous", other_allocator: "contiguous"};
  const {said} = of({...contiguous, slots: "64", requests: "200"}, {context: 131_072});
  assert.match(said, /up to 64 readers at once, against 3\. The static batch is not the slower one here, though \d+ % of/);
  const {said: pieces} = of({policy: "chunked", chunk: "64", other_policy: "static"}, {output: 1});
  assert.match(pieces, /^The static batch is not the slower one here, though .* Pieces take [\d,]+ passes more, and each reads all weights\./);
});

test("a batch that begins half empty is slower though hardly a slot is held", () => {
  const {said} = of({policy: "static", lengths: "fixed", rate: "20", requests: "10", slots: "4"}, {params_b: 30, output: 200, prompt: 50});
  assert.match(said, /^The static batch starts with those who are there, and lets nobody in until it has ended\./);
});

test("that pieces make waits short is said only where they do", () => {
  const ways = {policy: "continuous", other_policy: "chunked"};
  assert.match(of({...ways, chunk: "1048576", rate: "2", slots: "32"}, {prompt: 4000, output: 100}).said, /^Prompts hold up more tokens here, each for a shorter time: the longest wait is 116 ms, against 209 ms; 99 in 100 tokens come within 18.7 ms, against 15.8 ms/);
  // Among requests that are there at once few wait for a prompt: not one token in a hundred.
  assert.match(of(ways, {}).said, /the longest wait is [\d.]+ m?s, against [\d.]+ m?s; 99 in 100 tokens come within 4\.88 ms in both\./);
  assert.match(of({policy: "disaggregated", other_policy: "chunked"}, {}).said, /^Other people's prompts hold nobody up any less here: 99 in 100/);
  assert.match(of({...ways, lengths: "fixed"}, {output: 1}).said, /^Answers of one token leave no next one to wait for\./);
});

test("blocks that ran out are named where they made a replay slow", () => {
  const {first, second, said} = of({policy: "continuous", allocator: "contiguous", slots: "64", requests: "300"}, {params_b: 30});
  assert.equal(first.totals.n_preemptions, 0);
  assert.ok(second.totals.n_preemptions > 0);
  assert.equal(said.includes("Blocks ran out"), second.totals.tokens_per_s < 0.995 * first.totals.tokens_per_s);
});

test("a time that nothing was there for is none", () => {
  const {first} = of({lengths: "fixed"}, {output: 1});
  assert.deepEqual(TOTALS.filter(([title]) => title.startsWith("Each next")).map(([, text]) => text(first.totals)), ["none", "none"]);
  // Where prefill has GPUs of its own, one token takes no memory beside decode.
  const {first: apart} = of({lengths: "fixed", policy: "disaggregated"}, {output: 1});
  assert.deepEqual(TOTALS.filter(([title]) => title.startsWith("KV memory that")).map(([, text]) => text(apart.totals)), ["none"]);
});

test("where few come at a time a static batch wastes no slot", () => {
  assert.match(of({rate: "0.05", requests: "5"}).said, /^Hardly a slot is held here without work\./);
});

test("what would take long is refused before it begins", () => {
  const long = {...defaults, context: 1_048_576, output: 400_000};
  assert.match(obstacle(long, lab({requests: "2000"})), /^So many tokens take too long here/);
  assert.match(obstacle(defaults, lab({requests: "2000", policy: "chunked", chunk: "1"})), /^So many tokens take too long here/);
  assert.equal(obstacle(long, lab({requests: "1"})), "");
  assert.equal(unpaced(long, lab({requests: "1"}), null), "answers are too long to try many rates here");
  assert.equal([...load(long, lab({requests: "1"}))].length, 0);
});

test("the knee lies where the line between two tried rates crosses the limit, on axes by powers of ten", () => {
  const points = [[0.1, 1], [0.2, 3]].map(([rate_per_s, ttft_p99_s]) => ({rate_per_s, ttft_p99_s}));
  // log 2 / log 3 of the way from 0.1 to 0.2.
  assert.ok(Math.abs(crossing(points, 2) / (0.1 * 2 ** (Math.log(2) / Math.log(3))) - 1) < 1e-12);
  const curve = {points, alone_s: 0.9, grouped_s: 0.9, rush_s: 9, n: 300, n_together: 1};
  assert.equal(knee(curve, 2), "within the limit up to about 0.155 a second");
  assert.equal(knee(curve, 5), "within the limit up to 0.200 a second, the most that was tried");
  assert.equal(knee({...curve, rush_s: 4}, 5), "within the limit even when all 300 come at once");
  assert.equal(knee(curve, 0.95), "beyond the limit at 0.100 a second already, the least that was tried");
  assert.equal(knee(curve, 0.5), "beyond the limit even with one reader at a time");
});

test("groups too large to be served within the limit are named, not one reader at a time", () => {
  const said = (changes, own = null) => [...load(defaults, lab(changes), own)].at(-1).map(each => knee(each, 2));
  for (const each of said({rate: "4", burst: "50", requests: "200"})) assert.equal(each, "beyond the limit at every rate: up to 50 come at once");
  // Six times 40 at once, 20 s apart.
  const n = 240, arrival_s = Float64Array.from({length: n}, (_, i) => 20 * Math.floor(i / 40));
  const requests = {arrival_s, prompt_len: new Float64Array(n).fill(512), output_len: new Float64Array(n).fill(500)};
  for (const each of said({}, {name: "own.csv", requests, lines: []})) assert.equal(each, "beyond the limit at every rate: up to 40 come at once");
});

test("rates are tried until both replays cross the limit, or it is known that one never does", () => {
  const kneesAt = (changes, inputs = {}) => {
    const curves = [...load({...defaults, ...inputs}, lab(changes), null)].at(-1);
    const limit_s = Number(changes.ttft_limit ?? defaultSettings.ttft_limit);
    return curves.map(each => ({...each, said: knee(each, limit_s), rate: crossing(each.points, limit_s)}));
  };
  for (const changes of [{}, {ttft_limit: "0.1"}, {ttft_limit: "20"}, {ttft_limit: "0.06"}, {slots: "64", policy: "chunked"}]) {
    for (const {rate, said, points} of kneesAt(changes)) {
      assert.ok(rate, said);
      assert.ok(said.startsWith("within the limit up to about"));
      assert.deepEqual(points.map(each => each.rate_per_s), points.map(each => each.rate_per_s).sort((a, b) => a - b));
    }
  }
  for (const {rate, said} of kneesAt({ttft_limit: "10000"})) {
    assert.equal(rate, undefined);
    assert.equal(said, "within the limit even when all 300 come at once");
  }
  // Groups stay groups, however far apart; of requests that come at once there are none.
  const curves = changes => [...load({...defaults, prompt: 1000}, lab({requests: "100", ...changes}), null)].at(-1);
  assert.ok(curves({rate: "4", burst: "50"})[0].grouped_s > 5 * curves({rate: "4"})[0].grouped_s);
  assert.deepEqual(curves({burst: "50"}), curves({}));
  for (const {said} of kneesAt({ttft_limit: "0.001"})) assert.equal(said, "beyond the limit even with one reader at a time");
});

test("requests that come more slowly than the clock can tell are refused", () => {
  assert.match(obstacle(defaults, lab({rate: "1e-9"})), /^The last request comes after more than 10,000,000,000 s, where the clock/);
  assert.equal(obstacle(defaults, lab({rate: "1e-8"})), "");
});

test("twice the same is said to be that", () => {
  assert.match(of({policy: "continuous"}).said, /^Both replays serve alike\./);
});

test("requests longer than the context stand in the way, in a sentence", () => {
  assert.equal(obstacle(defaults, lab({})), "");
  assert.match(obstacle({...defaults, context: 512}, lab({})), /^A prompt of 512 and an output of 500 tokens are longer than the context, 512/);
});

test("a replay that has no room for a request is named, with what helps", () => {
  const [first, second] = replays({...defaults, params_b: 38, context: 32_768}, lab({allocator: "contiguous"}));
  assert.match(roomless([first, second], null), /^In the first replay, static and contiguous: request 1, .* can never fit: its cache takes 14\.2 GB, and the weights leave .* on each GPU\. Take paged memory, /);
  assert.match(roomless([first, first], null), /^Request 1, .* can never fit/);
  assert.equal(roomless([second, second], null), "");
});

test("from the end of each pass there is a way to the next, up to the last", () => {
  for (const policy of ["static", "continuous", "chunked", "disaggregated"]) {
    const {first} = of({policy, requests: "60", rate: "3"}, {});
    let n = 0;
    for (let at = 0, next; at < first.end_s; at = next, n++) {
      next = Math.min(nextEnd(first.passes, at), first.end_s);
      assert.ok(next > at, `${policy} stays at ${at}`);
    }
    // Passes of GPUs that only prefill may end together with others.
    assert.ok(n > 0.9 * first.totals.n_steps && n <= first.totals.n_steps + 1, `${n} of ${first.totals.n_steps}`);
  }
});

test("of very many waits the longest of each few are drawn", () => {
  const gap_s = Array.from({length: 10_000}, (_, i) => i === 7003 ? 5 : 0.01);
  const drawn = peaks({at_s: gap_s.map((_, i) => i), gap_s});
  assert.equal(drawn.gap_s.length, 2000);
  assert.equal(drawn.at_s[drawn.gap_s.indexOf(5)], 7003);
  assert.deepEqual(peaks({at_s: [1], gap_s: [2]}), {at_s: [1], gap_s: [2]});
});

test("a wait is drawn as high as it is for as long as it takes", () => {
  assert.deepEqual(steps({at_s: [1, 2, 4], gap_s: [1, 1, 2]}), [[0, 1, 1, 2, 2, 4], [1, 1, 1, 1, 2, 2]]);
  assert.deepEqual(steps({at_s: [], gap_s: []}), [[], []]);
});

test("where requests come over time the sentence says what readers feel", () => {
  const {first, second, said} = of({rate: "4", requests: "60"}, {});
  const share = ({totals: t}) => Math.round(100 * t.goodput_per_s * t.makespan_s / t.n_finished);
  assert.ok(share(first) < share(second));
  assert.ok(said.includes(`; ${share(second)} % of the answers keep the limits, instead of ${share(first)} %, and 99 in 100 first tokens come within `), said);
  assert.doesNotMatch(of({}, {}).said, /keep the limits/);
});

test("memory that keeps readers out of slots is named where both have the same", () => {
  const {said} = of({policy: "static", slots: "64", requests: "200", allocator: "contiguous", other_allocator: "contiguous"}, {context: 131_072});
  assert.match(said, /^Memory is what is short, not slots: up to 3 readers at once, in 64 slots\. The static batch waits/);
  assert.doesNotMatch(of({}, {}).said, /Memory is what is short/);
});

test("a cause is named only where it is one", () => {
  // Answers of one token end with their prompts; a watermark of all keeps what is free.
  assert.match(of({lengths: "fixed", slots: "64", requests: "64"}, {output: 1}).said, /^The static batch waits for its last answer: 38 % of/);
  const kept = {policy: "continuous", lengths: "fixed", slots: "4", requests: "10"};
  assert.match(of({...kept, watermark: "1"}, {}).said, /^What is kept free, 100 % of the memory, keeps readers out: up to 1 reader at once, in 4 slots\. /);
  // Whoever gave way has waited for room, and of one request nobody for another.
  for (const other_policy of ["chunked", "disaggregated"]) {
    const tight = {policy: "continuous", other_policy, slots: "12", requests: "30"};
    const {first, said} = of(tight, {gqa: 1, params_b: 34, prompt: 1000, output: 900, context: 5000});
    assert.ok(Math.max(...first.requests.longest_gap_s) > 10 && first.totals.n_preemptions > 0);
    assert.doesNotMatch(said, /longest wait[^;]* \d[\d.]* s\b/);
    assert.match(of({...tight, requests: "1"}, {}).said, /^There is no other prompt to wait for: 99 in 100/);
  }
  // Prefill apart hands on one prompt after the other: there are never as many as slots.
  assert.doesNotMatch(of({...kept, policy: "disaggregated", other_policy: "disaggregated"}, {output: 1}).said, /what is short|keeps readers out/);
});

test("a table of waits has no more rows than are read", () => {
  const line = {at_s: [], gap_s: Array.from({length: 250_000}, () => 0.01)};
  const rows = table([line, line], ["a", "b"]);
  assert.equal(rows.length, 1002);
  assert.equal(rows.at(-1)[0], "and 249,000 more");
});

test("each load curve has its name, away from the knees, within the frame, and not on the other", () => {
  const place = (axis, value) => (Math.log10(value) + 2) / 5;   // 0.01 to 1,000
  const named = (waits, limit_s) => {
    const curves = waits.map(each => ({points: each.map((ttft_p99_s, i) => ({rate_per_s: 0.01 * 10 ** i, ttft_p99_s}))}));
    let shown = [];
    const nothing = () => {};
    drawLoad({axes: nothing, lines: nothing, points: nothing, share: place, labels: (...rows) => { shown = rows; }}, curves, limit_s, ["A", "B"]);
    return shown.slice(-2).map(([rate, wait, name, , where]) => [rate, wait, name, where]);
  };
  assert.deepEqual(named([[1, 1, 1, 1], [0.1, 0.1, 0.1, 20]], 2), [[0.01, 1, "A", "above"], [0.01, 0.1, "B", "below"]]);
  assert.deepEqual(named([[0.011, 0.011], [500, 500]], 2000), [[0.01, 0.011, "A", "above"], [0.01, 500, "B", "below"]]);
  assert.deepEqual(named([[0.012, 0.012], [0.011, 0.011]], 2), [[0.01, 0.012, "A", "above"], [0.01, 0.011, "B", "below"]]);
});

test("a trace of no time at all still has rates", () => {
  const requests = {arrival_s: Float64Array.of(0, 0, 5e-324), prompt_len: Float64Array.of(9, 9, 9), output_len: Float64Array.of(4, 4, 4)};
  const [curve] = [...load(defaults, lab({}), {name: "t.csv", requests, lines: [2, 3, 4]})].at(-1);
  assert.ok(curve.points.length > 5);
  for (const point of curve.points) assert.ok(point.rate_per_s > 0 && point.ttft_p99_s > 0, JSON.stringify(point));
});

test("a trace of one's own is served as it is, and paced for the load curve", () => {
  const own = {name: "mine.csv", lines: [2, 3, 4], requests: {
    arrival_s: Float64Array.of(0, 1, 4), prompt_len: Float64Array.of(100, 50, 60), output_len: Float64Array.of(4, 1, 7),
  }};
  const [first] = replays(defaults, lab({requests: "40"}), own);
  assert.deepEqual([...first.requests.output_len], [4, 1, 7]);
  assert.deepEqual([...first.requests.arrival_s], [0, 1, 4]);
  assert.equal(trace(lab({}), {...first.means, speculates: false}, own), "the 3 requests of mine.csv, twice; in the mean 70 tokens in, 4 out");
  const [{points, n}] = [...load(defaults, lab({}), own)].at(-1);
  assert.equal(n, 3);
  assert.ok(points[0].rate_per_s < points[1].rate_per_s);
});

test("a batch that begins late has held its slots for no less of its time", () => {
  const said = [0, 1000].map(since => {
    const requests = {
      arrival_s: Float64Array.of(since, since, since), prompt_len: Float64Array.of(200, 200, 200), output_len: Float64Array.of(20, 400, 20),
    };
    const [first, second] = replays(defaults, lab({slots: "2"}), {name: "", lines: [2, 3, 4], requests});
    return sentence(first, second);
  });
  assert.match(said[0], /^The static batch waits for its longest answer: \d+ % of its slot time/);
  assert.equal(said[1], said[0]);
});

test("a trace that comes at once has no rate, and none is tried", () => {
  const of = (...arrivals) => ({name: "", lines: arrivals.map((_, i) => i + 2), requests: {
    arrival_s: Float64Array.from(arrivals), prompt_len: new Float64Array(arrivals.length).fill(10),
    output_len: new Float64Array(arrivals.length).fill(10),
  }});
  for (const rush of [of(0, 0, 0), of(0)]) {
    assert.equal(unpaced(defaults, lab({}), rush), "a trace whose requests all come at once has no rate");
    assert.equal([...load(defaults, lab({}), rush)].length, 0);
  }
  assert.equal(unpaced(defaults, lab({}), of(0, 0, 0.001)), "");
  assert.ok([...load(defaults, lab({}), of(0, 0, 0.001))].length >= 12);
});

test("a request that can never fit is named, and what it is too large for", () => {
  const of = (state, requests) => {
    const own = {name: "", lines: [2, 5], requests};
    return roomless(replays({...defaults, ...state}, lab({}), own), own);
  };
  const two = {arrival_s: Float64Array.of(0, 1), prompt_len: Float64Array.of(10, 9000), output_len: Float64Array.of(10, 10)};
  assert.equal(of({}, two), "Line 5, with a prompt of 9,000 and an output of 10 tokens, can never fit: the context, 8,192, is the longest sequence that is served. Take a longer one, or leave that line out of the file.");
  assert.match(of({context: 1_048_576}, {...two, prompt_len: Float64Array.of(10, 1_000_000)}),
    /^Line 5, .* can never fit: its cache takes 131 GB, and the weights leave 66\.0 GB on each GPU\. Take a smaller model, .* or leave that line out of the file\.$/);
  assert.match(of({model: "llama-3-70b"}, two), /^Line 2, .*: the weights leave no room for a cache\./);
});

test("a setting that says nothing in either replay rests, and what is drawn beside a trace of one's own", () => {
  const of = (changes, own = null) => unused(lab(changes), own);
  assert.deepEqual(of({}), ["chunk", "burst"]);
  assert.deepEqual(of({rate: "2", other_policy: "chunked"}), []);
  assert.deepEqual(of({rate: "2", policy: "chunked"}), []);
  assert.deepEqual(of({allocator: "contiguous", other_allocator: "contiguous"}), ["chunk", "block", "burst", "preemption"]);
  assert.deepEqual(of({allocator: "contiguous"}), ["chunk", "burst"]);
  assert.ok(of({}, {name: "", lines: [], requests: {}}).includes("requests"));
});
