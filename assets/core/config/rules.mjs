// What a quantization_config says: what weights are stored as, and rules for modules; as calc/hf_config/rules.py.
import {stored} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {isMlxRule, ofMethod} from "./methods.mjs";
import {UnknownError, WIDE, count, member, regexOr, word, worded} from "./storages.mjs";
import {isPart, isSomething} from "./values.mjs";
/**
 * @import {Rule} from "./methods.mjs"
 * @import {Storage} from "./storages.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {{isKnown: boolean, usual: Storage, rules: Rule[], tables: Storage, kv: string, guesses: string[], headOpen: boolean}} Quantization
 */

/**
 * What a quantization_config says.
 * @param {Part} stated
 * @param {string} experts what experts are stored as, where it is said of them alone
 * @returns {Quantization}
 */
export function quantization(stated, experts) {
  const method = word(stated.quant_method), [kv, kvGuesses] = cacheOf(stated);
  const told = [...kvGuesses, ...unknown(stated, method)];
  const open = {rules: [], tables: WIDE, kv, headOpen: false};
  let usual, rules;
  try {
    [usual, rules] = ofMethod(method, stated);
    if (experts) rules = [{field: EXPERTS, text: "experts", kind: "name", storage: worded(experts), isExact: false}, ...rules];
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    return {...open, isKnown: false, usual: WIDE, guesses: [` ${error.message}`, ...told]};
  }
  const listed = listedIn(stated);
  // Linear layers are said to be converted, of which the head may be one.
  const headOpen = isSomething(stated.config_groups ?? null) && usual !== WIDE;
  return {
    isKnown: true, usual,
    // Of tables the last word counts: a switch turns the head on, a rule may except it again.
    rules: [...bySwitch(stated, usual), ...listed, ...rules],
    tables: !method && "bits" in stated ? usual : WIDE,
    kv, guesses: told,
    headOpen: headOpen && ![...listed, ...rules].some(({text}) => text.includes("head")),
  };
}

const EXPERTS = stored.EXPERT_DTYPE;

/** Modules that are not converted, each once. @param {Part} stated @returns {Rule[]} */
function listedIn(stated) {
  return stored.LISTS.flatMap(name => {
    const texts = typeof stated[name] === "string" ? [stated[name]] : stated[name];
    if (!Array.isArray(texts)) return [];
    return [...new Set(texts.filter(each => typeof each === "string"))].map(text => {
      const [kind, pattern] = regexOr(text);
      return {field: name, text: pattern, kind, storage: WIDE, isExact: true};
    });
  });
}

/** The head, where a switch says that it is quantised, too. @param {Part} stated @param {Storage} storage @returns {Rule[]} */
function bySwitch(stated, storage) {
  return stated.lm_head === true && isSomething(stated.quant_method ?? null)
    ? [{field: "lm_head", text: "lm_head", kind: "name", storage, isExact: true}] : [];
}

/** @type {Record<string, string>} */
const CACHES = {float8: "fp8", fp8: "fp8", fp8_e4m3: "fp8", int8: "int8", int4: "int4"};

/** What the cache is said to be stored as, and what is not known of it. @param {Part} stated @returns {[string, string[]]} */
function cacheOf(stated) {
  const scheme = stated.kv_cache_scheme;
  let said = "";
  if (isPart(scheme) && isSomething(scheme)) said = `${word(scheme.type) || "float"}${count(scheme.num_bits)}`;
  else if (typeof scheme === "string") said = scheme.toLowerCase();
  said ||= word(stated.kv_cache_quant_algo);
  for (const own of Object.values(member(stated, "kv_cache_quant_config"))) {
    const each = word((isPart(own) ? member(own, "output_tensors") : {}).dtype) || "none";
    said = said === "" || said === each ? each : "of several formats";
  }
  if (["", "auto", "none"].includes(said)) return ["", []];
  if (Object.hasOwn(CACHES, said)) return [CACHES[said], []];
  return ["", [` says that the cache is ${shortened(said)}, which is not known: it is as chosen`]];
}

/** What else is stated and may change what weights weigh. @param {Part} stated @param {string} method */
function unknown(stated, method) {
  /** @type {string[]} */
  const said = [];
  for (const [name, value] of Object.entries(stated)) {
    const isRule = !method && isMlxRule(name, value);
    if (!stored.KNOWN.includes(name) && !isRule && isSomething(value)) {
      said.push(`.${shortened(name)} is not understood, and may change what weights weigh`);
    } else if (stored.LISTS.includes(name) && !(Array.isArray(value) || typeof value === "string" || value === null)) {
      said.push(`.${name} is no list of names: not counted`);
    }
  }
  const sparsity = member(stated, "sparsity_config");
  if (isSomething(sparsity) && word(sparsity.format) !== "dense") {
    said.push(".sparsity_config: weights that are stored without their zeros are counted in full");
  }
  const blocks = isSomething(stated.block_name_to_quantize ?? null)
    ? stated.block_name_to_quantize : stated.modules_in_block_to_quantize ?? null;
  if (isSomething(blocks) && !(typeof blocks === "string" && /(layers|\.h|blocks)$/.test(blocks))) {
    said.push(": only some blocks are quantised, but all are counted so (block_name_to_quantize)");
  }
  if (word(stated.format) === "dense" && isSomething(stated.config_groups ?? null)) {
    said.push(".format is dense: the weights may be stored at 16 bit");
  }
  return said;
}

