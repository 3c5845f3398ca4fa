import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PUBLISH } from '../../../pipelines/publish.ts';
import type { Bus, NewStep } from '../../../src/log/port.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { readChainBlocks } from '../../helpers/chain-blocks.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { sampled } from '../../helpers/long-run.ts';
import { NETWORK } from '../../helpers/raw-block-records.ts';
import { type RunningMain, startMain } from '../../helpers/run-main.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import {
  allHaveLanes,
  expectOnce,
  isPublished,
  LANES,
  publishEnvironment,
  stepsOf,
  until,
} from './published-log.ts';

const TEST_MS = 600_000;
const IDENTITY = { network: NETWORK, id: 'aa:bb', epochSize: 5, lanes: LANES, facts: {} };
const MEMBERS = 3;
const BLOWS = 8;
/** Longer than the session: a publisher that sleeps that long wakes fenced. */
const ASLEEP_MS = 4_000;

/** The chain grows while publishers come and go. */
async function append(bus: Bus, steps: readonly NewStep[], signal: AbortSignal): Promise<void> {
  const writer = await bus.writer(PUBLISH.reads, 'writer', 600_000);
  for (const step of steps) {
    await writer.append([step]);
    // Not longer than the blows go on: then the rest comes at once.
    await sleep(250, undefined, { signal }).catch(() => {});
  }
  await writer.release();
}

await describeWithKafka('publishers of a growing chain', (brokers) => {
  describeWithData('of the genesis packs', (data) => {
    it.each(sampled([1, 2]))(
      'have every record once, though they are killed, sent to sleep and replaced (seed %i)',
      async (seed) => {
        const random = new SeededRandom(seed);
        const kafka = await kafkaLog(brokers());
        const all: RunningMain[] = [];
        const start = () => {
          const main = startMain(['publish'], publishEnvironment(kafka.options));
          all.push(main);
          return main;
        };
        try {
          const bus = await kafka.open();
          await bus.establish(IDENTITY);
          const members = Array.from({ length: MEMBERS }, start);
          const steps = stepsOf(readChainBlocks(join(data, 'blocks/mainnet-genesis-0001')), 99, IDENTITY);
          const over = new AbortController();
          const appending = append(bus, steps, over.signal);
          for (let blow = 0; blow < BLOWS; blow++) {
            await sleep(300 + random.below(1_500));
            const at = random.below(MEMBERS);
            const victim = members[at] as RunningMain;
            if (blow % 4 === 3) {
              victim.child.kill('SIGSTOP');
              await sleep(ASLEEP_MS);
              victim.child.kill('SIGCONT');
            } else {
              victim.child.kill('SIGKILL');
              members[at] = start();
            }
          }
          over.abort();
          await appending;
          await until('everything is published', () => isPublished(bus), members);
          await until('all share the lanes', () => allHaveLanes(bus, members), members);
          for (const { child, ended, text } of members) {
            child.kill('SIGTERM');
            expect(await ended, text.stderr).toBe(0);
          }
          const { records } = await expectOnce(bus, kafka.options);
          expect(records.get('blocks')?.length).toBe(299);
          expect(records.get('transactions')?.length).toBe(1_087);
        } finally {
          for (const { child } of all) child.kill('SIGKILL');
          await Promise.all(all.map(({ ended }) => ended));
          await kafka.dispose();
        }
      },
      TEST_MS,
    );
  });
});
