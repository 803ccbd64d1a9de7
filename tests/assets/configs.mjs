// What the page makes of config files, a text each, for tests that compare it with what Python makes of them.
import {ConfigError, compact, readConfig} from "#modules/core/config/own.mjs";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);

process.stdout.write(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()).map(text => {
  try {
    const reading = readConfig(text), {model, used, derived, assumed, ignored, guesses, weights, kv} = reading;
    return {model, used, derived: [...derived, ...assumed].sort(), ignored, guesses, weights, kv, short: compact(reading, "a name")};
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
})));
