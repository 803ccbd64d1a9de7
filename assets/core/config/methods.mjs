// Each method of quantisation in its own words: what most weights are stored as, and rules for modules.
import {stored} from "../../built/config.mjs";
import {shortened} from "../text.mjs";
import {
  CHOSEN, MXFP8, UnknownError, WIDE, count, integers, kindOf, member, plain, regexOr, storage, word, worded,
} from "./storages.mjs";
import {isPart, isSomething} from "./values.mjs";
/**
 * @import {Storage} from "./storages.mjs"
 * @import {Part} from "./values.mjs"
 * @typedef {{field: string, text: string, kind: string, storage: Storage, isExact: boolean}} Rule
 * @typedef {[Storage, Rule[]]} Said
 */

const {WORDS} = stored;

/** What most weights are stored as, which must be a format, and the method's rules. @param {string} method @param {Part} stated @returns {Said} */
export function ofMethod(method, stated) {
  const [usual, rules] = inItsWords(method, stated);
  if (!usual.format && usual !== WIDE) throw new UnknownError(`has ${usual.label}, which is not counted here: ${CHOSEN}`);
  return [usual, rules];
}

/** @param {string} method @param {Part} stated @returns {Said} */
function inItsWords(method, stated) {
  if (isPart(stated.config_groups) && isSomething(stated.config_groups)) return ofGroups(stated.config_groups);
  const hasAlgorithm = "quant_algo" in stated;
  if (hasAlgorithm && word(stated.quant_algo) === "mixed_precision") return ofLayers(stated);
  if (Object.hasOwn(METHODS, method) && !hasAlgorithm) return METHODS[method](stated);
  const name = word(stated.quant_algo) || method;
  if (!Object.hasOwn(WORDS, name)) throw new UnknownError(`of ${shortened(method) || "no method"} is not known: ${CHOSEN}`);
  return [plain(WORDS[name]), []];
}

/** @param {Part} stated @returns {Said} */
function ofBitsandbytes(stated) {
  if (stated.load_in_4bit === true) {
    // One 32-bit scale per 64 weights; or 8 bit, with one of 32 bit per 256 of these.
    const scale = stated.bnb_4bit_use_double_quant === true ? 1 + 4 / 256 : 4;
    return [storage("int4", 0.5 + scale / 64, "4 bit of bitsandbytes"), []];
  }
  if (stated.load_in_8bit === true) return [plain("int8"), []];
  throw new UnknownError(`of bitsandbytes loads neither 4 nor 8 bit: ${CHOSEN}`);
}

/** @param {Part} stated @returns {Said} */
function ofGptq(stated) {
  const usual = integer(stated);
  return [usual, Object.entries(member(stated, "dynamic")).map(([text, own]) => {
    const sign = /^[-+]:/.exec(text)?.[0] ?? "", changes = isPart(own) ? own : {};
    const changed = isSomething(changes) ? () => integer({...stated, ...changes}) : () => usual;
    // The head is one of the modules where a switch says so.
    return {
      field: "dynamic", text: text.slice(sign.length), kind: "regex", storage: sign === "-:" ? WIDE : changed(),
      isExact: stated.lm_head === true,
    };
  })];
}

/** @param {Part} stated @returns {Said} */
function ofAutoRound(stated) {
  const rules = Object.entries(member(stated, "extra_config")).map(([text, own]) => {
    const isPattern = /[*^$(|\\[+?]/.test(text);
    return {
      field: "extra_config", text: isPattern ? `.*(?:${text})` : text, kind: isPattern ? "regex" : "name",
      storage: ofDataType({...stated, ...isPart(own) ? own : {}}), isExact: true,
    };
  });
  return [ofDataType(stated), rules];
}

/** AutoRound's types. @param {Part} stated */
function ofDataType(stated) {
  const bits = count(stated.bits), type = word(stated.data_type) || "int";
  if (bits >= 16) return WIDE;
  if (type.startsWith("int")) return integer(stated);
  if (type.startsWith("mx_fp") && bits === 4) return plain("mxfp4");
  if (type.startsWith("mx_fp") && bits === 8) return MXFP8;
  if (type.startsWith("nv_fp") && bits === 4) return plain("nvfp4");
  if (type.startsWith("fp") && bits === 8) return plain("fp8");
  throw new UnknownError(`names ${shortened(type)} of ${BigInt(bits)} bit, which is not known: ${CHOSEN}`);
}

/** @param {Part} stated @returns {Said} */
function ofMlx(stated) {
  const usual = ofMode(stated);
  return [usual, Object.entries(stated).filter(([text, own]) => isMlxRule(text, own)).map(([text, own]) => ({
    // What a layer does not say is what MLX has, not what the rest is.
    field: "modules", text, kind: "name", storage: isPart(own) ? ofMode({bits: 4, ...own}) : own ? usual : WIDE, isExact: true,
  }))];
}

/** Whether a member is of a module: MLX has them beside the rest. @param {string} name @param {any} value */
export function isMlxRule(name, value) {
  if (typeof value === "boolean") return name.includes(".") || name === "lm_head";
  return isPart(value) && ["bits", "group_size", "mode"].some(each => each in value);
}

/** MLX's modes; by default a scale and an offset of 16 bit per group. @param {Part} stated */
function ofMode(stated) {
  const mode = word(stated.mode) || "affine";
  if (mode === "mxfp4" || mode === "nvfp4") return plain(mode);
  if (mode === "mxfp8") return MXFP8;
  if (mode !== "affine") throw new UnknownError(`has mode ${shortened(mode)}, which is not known: ${CHOSEN}`);
  return integers(count(stated.bits), 4, count(stated.group_size) || 64);
}

/** @param {Part} stated @returns {Said} */
function ofQuark(stated) {
  const rules = () => Object.entries(member(stated, "layer_quant_config")).map(([text, own]) =>
    ({field: "layer_quant_config", text, kind: kindOf(text), storage: ofQuarkLayer(own), isExact: true}));
  return [ofQuarkLayer(member(stated, "global_quant_config")), rules()];
}

/** @param {any} own */
function ofQuarkLayer(own) {
  const weight = isPart(own) ? own.weight ?? null : null;
  return weight === null ? WIDE : worded(isPart(weight) ? word(weight.dtype) : "");
}

/** ModelOpt's mixed precision: each layer that is quantised by its name. @param {Part} stated @returns {Said} */
function ofLayers(stated) {
  const layers = Object.entries(member(stated, "quantized_layers"));
  if (!layers.length) throw new UnknownError(`is of mixed precision, and names no layers: ${CHOSEN}`);
  return [WIDE, layers.map(([text, own]) => ({
    field: "quantized_layers", text, kind: kindOf(text), storage: worded(isPart(own) ? word(own.quant_algo) : ""), isExact: true,
  }))];
}

/** compressed-tensors' groups: by name, and by class, of which only linear layers count. @param {Part} groups @returns {Said} */
function ofGroups(groups) {
  const usual = new Set();
  /** @type {Rule[]} */
  const rules = [];
  for (const group of Object.values(groups)) {
    const own = isPart(group) ? group : {}, stores = ofGroup(own);
    for (const text of Array.isArray(own.targets) && own.targets.length ? own.targets : ["Linear"]) {
      if (text === "Linear") usual.add(stores);
      else if (typeof text === "string") {
        const [kind, pattern] = regexOr(text);
        rules.push({field: "config_groups", text: pattern, kind, storage: stores, isExact: true});
      } else throw new UnknownError(`has targets that are no names: ${CHOSEN}`);
    }
  }
  if (usual.size > 1) throw new UnknownError(`names several formats: ${CHOSEN}`);
  return [usual.size ? [...usual][0] : WIDE, rules];
}

/** What one of the groups stores weights as. @param {Part} group */
function ofGroup(group) {
  const weights = member(group, "weights"), bits = count(weights.num_bits), kind = word(weights.type) || "int";
  const size = count(weights.group_size);
  if (bits === 4 && kind === "float" && (size === 16 || size === 32)) return plain(size === 16 ? "nvfp4" : "mxfp4");
  if (bits === 8 && kind === "float") return size === 32 ? MXFP8 : plain("fp8");
  if (kind === "int" && bits === 8 && isPart(group.input_activations)) return plain("int8");
  if (kind === "int" && bits) return integers(bits, 2 + (weights.symmetric === false ? bits / 8 : 0), size);
  throw new UnknownError(`has ${shortened(kind)} of ${BigInt(bits)} bit, which is not known: ${CHOSEN}`);
}

/** What stores integers with a scale of 16 bit and an offset per group. @param {Part} stated */
function integer(stated) {
  const bits = count("bits" in stated ? stated.bits : stated.w_bit);
  const size = ("group_size" in stated ? stated.group_size : stated.q_group_size) ?? null;
  return integers(bits, 2 + bits / 8, size === null ? 128 : count(size));
}

/** @type {Record<string, (stated: Part) => Said>} */
const METHODS = {
  "bitsandbytes": ofBitsandbytes, "gptq": ofGptq, "awq": stated => [integer(stated), []],
  "auto-round": ofAutoRound, "intel/auto-round": ofAutoRound, "quark": ofQuark, "": ofMlx,
};
