import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';
import { claimLane, OPTIONS, output, transformLog } from './transform-log.ts';

const TEST_MS = 600_000;

describeWithOwnBroker('lanes that become records of other topics, on a broker that fails', (broker) => {
  it(
    'write everything once, though the broker is killed again and again',
    async () => {
      const { open, keys, dispose } = await transformLog(broker().brokers, 150);
      try {
        const bus = await open();
        const lease = await claimLane(bus, 'a');
        const transform = await bus.transform(OPTIONS, lease);
        const writing = (async () => {
          for (let offset = 0; offset < 150; offset++)
            await transform.write(output(offset), { next: offset + 1, note: '' });
        })();
        let over = false;
        writing
          .finally(() => {
            over = true;
          })
          .catch(() => {});
        let kills = 0;
        for (; !over && kills < 2; kills++) {
          await sleep(300 + 137 * kills);
          await broker().kill();
          await broker().start();
        }
        await writing;
        expect(kills).toBeGreaterThan(0);
        const wanted = Array.from({ length: 150 }, (_, offset) => `one/${offset}`).sort();
        expect(await keys('one')).toEqual(wanted);
        expect((await keys('two')).length).toBe(150);
      } finally {
        await dispose();
      }
    },
    TEST_MS,
  );
});
