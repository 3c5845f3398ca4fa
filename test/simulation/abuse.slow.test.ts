import { expect, it } from 'vitest';
import { simulateAbuse } from './abuse/simulate-abuse.ts';

/** Each attack once; the long run is `npm run test:abuse`. */
it('a server under attack holds', { timeout: 1_200_000 }, async () => {
  const failures: string[] = [];
  const { reports } = await simulateAbuse({
    minutes: 0.01,
    seed: 7,
    // The machine's speed does not count: only what never ends, or is much too late, fails.
    patience: 10,
    onReport: ({ name, problems }) => {
      for (const problem of problems) failures.push(`${name}: ${problem}`);
    },
  });
  // As one text, which a failure shows whole.
  expect(failures.join('\n')).toBe('');
  expect(reports.length).toBeGreaterThan(20);
});
