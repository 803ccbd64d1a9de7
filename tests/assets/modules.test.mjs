import assert from "node:assert/strict";
import {readdirSync} from "node:fs";
import {test} from "node:test";

const FOLDER = new URL("../../build/modules/", import.meta.url);
const MODULES = readdirSync(FOLDER, {recursive: true}).filter(name => name.endsWith(".mjs"));

/** What loading a module ends with, where it ends badly. */
async function failure(name) {
  try {
    await import(new URL(name, FOLDER));
    return undefined;
  } catch (error) {
    return error;
  }
}

test("every name that is imported is exported", async () => {
  for (const name of MODULES) {
    const error = await failure(name);
    // Here is no page: those that begin with one are linked, and end at its first element.
    assert.ok(!(error instanceof SyntaxError), `${name}: ${error?.message}`);
  }
});

test("core and parts touch no page before they are made", async () => {
  for (const name of MODULES.filter(each => /^(core|parts)\//.test(each))) {
    assert.equal(await failure(name), undefined, name);
  }
});
