import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { kafkaLog } from '../../contract/bus/kafka-log.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { type RunningMain, startMain } from '../../helpers/run-main.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { expectOnce, isPublished, publishEnvironment, until } from './published-log.ts';

const TEST_MS = 180_000;
const MEMBERS = 3;
const BLOWS = 12;
/** Longer than the session: whoever sleeps that long wakes fenced. */
const ASLEEP_MS = 4_000;

await describeWithKafka('publishers of a growing chain', (brokers) => {
  it.each([1])(
    'have every record once, though they are killed, sent to sleep and replaced (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const kafka = await kafkaLog(brokers());
      const data = mkdtempSync(join(tmpdir(), 'tonhouse-publish-'));
      const environment = publishEnvironment(kafka.options);
      const all: RunningMain[] = [];
      const start = (...args: string[]) => {
        const main = startMain(args, environment);
        all.push(main);
        return main;
      };
      try {
        const capture = start('capture', 'localnet', '--data', data, '--block-ms', '50', '--traffic', '60');
        const bus = await kafka.open();
        await until('the chain begins', async () => (await bus.identity()) !== null, all);
        const members = Array.from({ length: MEMBERS }, () => start('publish'));
        await until(
          'some is published',
          async () => (await bus.lag()).some(({ committed }) => committed > 0),
          all,
        );
        for (let blow = 0; blow < BLOWS; blow++) {
          await sleep(200 + random.below(1_300));
          const at = random.below(MEMBERS);
          const victim = members[at] as RunningMain;
          if (blow % 3 === 2) {
            victim.child.kill('SIGSTOP');
            await sleep(ASLEEP_MS);
            victim.child.kill('SIGCONT');
          } else {
            victim.child.kill('SIGKILL');
            members[at] = start('publish');
          }
        }
        capture.child.kill('SIGTERM');
        expect(await capture.ended, capture.text.stderr).toBe(0);
        await until('everything is published', () => isPublished(bus), members);
        for (const { child, ended, text } of members) {
          child.kill('SIGTERM');
          expect(await ended, text.stderr).toBe(0);
        }
        const { records } = await expectOnce(bus, kafka.options);
        expect(records.get('blocks')?.length).toBeGreaterThan(100);
        expect(records.get('transactions')?.length).toBeGreaterThan(500);
      } finally {
        for (const { child } of all) child.kill('SIGKILL');
        await Promise.all(all.map(({ ended }) => ended));
        await kafka.dispose();
        rmSync(data, { recursive: true, force: true });
      }
    },
    TEST_MS,
  );
});
