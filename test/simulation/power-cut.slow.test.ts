import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithData } from '../helpers/shared-data.ts';
import { canRecord } from './power-cut/build-recorder.ts';
import { simulatePowerCuts } from './power-cut/simulate-power-cuts.ts';

/** A short run of the power-cut simulation; the long one is `npm run test:power-cut`. */
describeWithData('power cuts', (data) => {
  it.skipIf(!canRecord())(
    'leave what one command makes whole (skipped without Linux and gcc)',
    { timeout: 600_000 },
    async () => {
      const source = `archive:${join(data, 'blocks/packs')}`;
      const results = await simulatePowerCuts({ cuts: 4, seed: 11, source, onCut: () => {} });
      expect(results.flatMap(({ wrong }) => wrong)).toEqual([]);
      expect(results).toHaveLength(4);
    },
  );
});
