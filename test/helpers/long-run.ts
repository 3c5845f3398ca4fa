/** True if the tests run in their long form: TEST_LONG=1. They then use every seed, not only the first. */
export const IS_LONG = process.env.TEST_LONG === '1';

/** The seeds or variants of a test that are run: the first `count`, or all of them in the long form. */
export function sampled<T>(all: readonly T[], count = 1): readonly T[] {
  return IS_LONG ? all : all.slice(0, count);
}
