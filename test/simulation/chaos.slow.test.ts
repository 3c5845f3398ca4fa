import { expect, it } from 'vitest';
import { describeWithBrokerJars } from '../helpers/kafka-broker.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { sharedCorpora } from './chaos/chaos-world.ts';
import { keptPlans } from './chaos/kept-rounds.ts';
import { simulateChaos } from './chaos/simulate-chaos.ts';

/** The rounds that failed once; the long run is `npm run test:chaos`. */
describeWithBrokerJars('chaos', () => {
  describeWithData('on the stages as processes', (data) => {
    it('leaves what an undisturbed index leaves', { timeout: 600_000 }, async () => {
      const first = keptPlans();
      const report = await simulateChaos({
        seed: 1,
        minutes: 5,
        first,
        rounds: first.length,
        corpora: sharedCorpora(data).slice(0, 1),
        onProgress: () => {},
        onDifference: () => {},
      });
      expect(report.differences).toEqual([]);
      expect(report.rounds).toBe(first.length);
      expect(report.faults).toBeGreaterThanOrEqual(3);
      expect(report.blocksDeliveredAgain).toBeGreaterThan(0);
    });
  });
});
