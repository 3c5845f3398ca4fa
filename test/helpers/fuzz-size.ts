/** Size of the tests that make random input. FUZZ_SEED chooses other input, FUZZ_SCALE makes so many times as much. */

/** The seed of FUZZ_SEED, or the seed of the test. @throws Error if the variable is no whole number */
export function fuzzSeed(seed: number): number {
  return numberOf('FUZZ_SEED', seed);
}

/** The number of samples in a short run, times FUZZ_SCALE. @throws Error if the variable is no whole number */
export function fuzzSamples(samples: number): number {
  return samples * numberOf('FUZZ_SCALE', 1);
}

function numberOf(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${name} must be a whole number above 0, not ${text}`);
  return Number(text);
}
