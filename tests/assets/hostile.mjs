// The loop of tests/helpers/hostile.py, for fuzzers in Node: those in `*.fuzz.test.mjs`.
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

/** Numbers from 0 to 1 by chance, the same ones for a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6D2B79F5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

/** Attack again and again, each time with other numbers; a failure says how to repeat it. */
export function fuzz(attack, rounds) {
  const end = performance.now() + 1000 * seconds;
  let seed = Number(process.env.FUZZ_SEED ?? 0);
  for (let done = 0; seconds ? performance.now() < end : done < rounds; done++, seed++) {
    try {
      attack(random(seed));
    } catch (failure) {
      throw new Error(`Repeat it with FUZZ_SEED=${seed}`, {cause: failure});
    }
  }
}
