// What the page says to addresses and texts, for tests that compare it with what Python says.
import data from "#modules/built/data.mjs";
import {evaluate} from "#modules/built/arithmetic.mjs";
import {fromAddress} from "#modules/core/address.mjs";
import {mainKind} from "#modules/core/attention.mjs";
import {plainOverBatch} from "#modules/core/curves.mjs";
import {fits} from "#modules/core/explorer/fit.mjs";
import {pulls} from "#modules/core/explorer/levers.mjs";
import {routing} from "#modules/core/explorer/routing.mjs";
import {learnFrom} from "#modules/core/own_models.mjs";
import {parsed} from "#modules/core/numbers.mjs";
import {shortened, suggestion} from "#modules/core/text.mjs";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const {addresses = [], crossings = [], levers = [], mainKinds = [], routed = [], wishes = [], texts = []} = JSON.parse(Buffer.concat(chunks).toString());
const names = [...Object.keys(data.inputs), ...data.inputs.model.options, ...data.inputs.gpu.options];

for (const address of addresses) await learnFrom(address);
process.stdout.write(JSON.stringify({
  addresses: addresses.map(address => {
    const {state, notes} = fromAddress(address);
    return {state, notes};
  }),
  crossings: crossings.map(address =>
    plainOverBatch(evaluate(fromAddress(address).state)).findLast(({is}) => is !== "faster")?.upTo ?? 0),
  levers: levers.map(address => pulls(fromAddress(address).state)
    .map(({lever, report}) => [lever.name, report.tokens_per_s, report.max_batch])),
  fits: wishes.map(([address, users, speed]) => fits(fromAddress(address).state, users, speed)
    .map(each => [each.gpu, each.n_gpus, each.n_replicas, each.batch, each.binds, each.usd_per_hour, each.report.usd_per_million_output_tokens])),
  routed: routed.map(([asked, cheap, strong]) => routing(asked, cheap, strong)),
  mainKinds: mainKinds.map(address => mainKind(evaluate(fromAddress(address).state))),
  texts: texts.map(text => [shortened(text), suggestion(text, names), parsed(text)]),
}));
