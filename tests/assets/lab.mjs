// What the batching lab replays for settings that it is told: the totals of both replays.
import {readFileSync} from "node:fs";
import {replays} from "#modules/core/lab/replays.mjs";
import {defaults} from "#modules/core/rules.mjs";
import {defaultSettings} from "#modules/core/settings.mjs";

const told = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(told.map(({inputs, lab}) =>
  replays({...defaults, ...inputs}, {...defaultSettings, ...lab}).map(({totals}) => totals))));
