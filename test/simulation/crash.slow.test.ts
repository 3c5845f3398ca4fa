import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithData } from '../helpers/shared-data.ts';
import { simulateCrashes } from './crash/simulate-crashes.ts';

/** A short run of the crash simulation; the long one is `npm run test:crash`. */
describeWithData('crashes', (data) => {
  it('leave tables that equal those of an undisturbed index', { timeout: 900_000 }, async () => {
    const result = await simulateCrashes({
      kills: 6,
      seed: 7,
      source: `archive:${join(data, 'blocks/packs')}`,
      onProgress: () => {},
      onDifference: () => {},
    });
    expect(result.differences, JSON.stringify(result.differences)).toEqual([]);
    expect(result.kills).toBe(6);
  });
});
