import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PUBLISH } from '../../../pipelines/publish.ts';
import { retryTopics } from '../../../src/engine/dead-letter-retry/retry-topics.ts';
import { openDeadLetters } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import type { ChunkDecoder } from '../../../src/engine/decoding/chunk.ts';
import { LocalDecoder } from '../../../src/engine/decoding/local-decoder.ts';
import { runMember } from '../../../src/engine/lanes/run-member.ts';
import { topicMember } from '../../../src/engine/lanes/topic-member.ts';
import type { TransformingBus } from '../../../src/log/port.ts';
import { createDecoder } from '../../../src/projections/records/kernel-decoder.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { readChainBlocks } from '../../helpers/chain-blocks.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { readCommitted } from '../../helpers/kafka-reader.ts';
import { DECODER_OPTIONS, NETWORK } from '../../helpers/raw-block-records.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { stepsOf } from './published-log.ts';

const IDENTITY = { network: NETWORK, id: 'aa:bb', epochSize: 4, lanes: 2, facts: {} };
const SETTINGS = { sessionMs: 15_000, verifyLevel: 'tx', decodeWorkers: 0 } as const;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const TEST_MS = 600_000;

/** A decoder that does not know some blocks yet. */
function without(victim: string, real: ChunkDecoder): ChunkDecoder {
  const failure = { code: 'test', message: `${victim}: this decoder is too old` };
  return {
    chunkBytes: real.chunkBytes,
    ahead: real.ahead,
    close: () => real.close(),
    decode: async (records) =>
      records.some(({ key }) => key === victim)
        ? { outcomes: [failure], parts: [], release() {} }
        : real.decode(records),
  };
}

await describeWithKafka('blocks that cannot be published', (brokers) => {
  describeWithData('of the genesis packs', (data) => {
    const realDecoder = async () => new LocalDecoder(await createDecoder(DECODER_OPTIONS));

    /** Runs the stage until it has processed the whole log. */
    async function publishAll(bus: TransformingBus, decoder?: ChunkDecoder): Promise<string[]> {
      const notices: string[] = [];
      const noting = { ...log, info: (_facts: object, text: string) => void notices.push(text) };
      const parts = { projection: PUBLISH, bus, identity: IDENTITY, owner: 'test', log: noting };
      const member = await topicMember(parts, SETTINGS, { onBatch() {} }, decoder);
      const stop = new AbortController();
      const running = runMember(member, stop.signal);
      running.catch(() => stop.abort());
      const isDone = async () => (await bus.lag()).every(({ committed, end }) => committed === end);
      for (const deadline = Date.now() + 120_000; !stop.signal.aborted && !(await isDone()); await sleep(50))
        if (Date.now() > deadline) stop.abort(new Error('not within half a minute'));
      stop.abort();
      await running;
      return notices;
    }

    it(
      'go to the dead letters, the others are out, and a retry brings them in once',
      async () => {
        const kafka = await kafkaLog(brokers());
        try {
          const bus = (await kafka.open()) as TransformingBus;
          await bus.establish(IDENTITY);
          const steps = stepsOf(readChainBlocks(join(data, 'blocks/mainnet-genesis-0001')), 10, IDENTITY);
          const victim = '(-1,8000000000000000,6)';
          const last = steps.at(-1)!;
          const garbage = {
            key: 'garbage',
            headers: { kind: 'block' },
            value: new Uint8Array([0, 0, 0, 0, 1, 9]),
          };
          const writer = await bus.writer(PUBLISH.reads, 'writer', 60_000);
          await writer.append(steps.slice(0, -1));
          // Once more, as a producer might that does not know what became of its first try.
          await writer.append(steps.slice(4, 6));
          await writer.append([{ ...last, records: [...last.records, garbage] }]);
          await writer.release();

          const notices = await publishAll(bus, without(victim, await realDecoder()));
          const repeated = steps.slice(4, 6).flatMap(({ records }) => records);
          expect(notices.filter((text) => text.includes('published before')).length).toBe(repeated.length);
          const letters = await openDeadLetters(bus);
          expect(letters.map(({ stage, key, code }) => [stage, key, code]).sort()).toEqual([
            ['publish', victim, 'test'],
            ['publish', 'garbage', 'avro'],
          ]);
          const all = steps.flatMap(({ records }) => records.map(({ key }) => key));
          const keys = async (topic: string) =>
            (await readCommitted(kafka.options, topic, IDENTITY.lanes)).map(({ key }) => key).sort();
          expect(await keys('blocks')).toEqual(all.filter((key) => key !== victim).sort());
          const before = await keys('transactions');

          const parts = { projection: PUBLISH, bus, identity: IDENTITY, owner: 'test', log };
          expect(await retryTopics(parts, SETTINGS, without(victim, await realDecoder()))).toBe(0);
          expect(await retryTopics(parts, SETTINGS, await realDecoder())).toBe(1);
          expect(await retryTopics(parts, SETTINGS, await realDecoder())).toBe(0);
          expect((await openDeadLetters(bus)).map(({ key }) => key)).toEqual(['garbage']);
          expect(await keys('blocks')).toEqual([...all].sort());
          const after = await keys('transactions');
          expect(after.length).toBeGreaterThan(before.length);
          expect(new Set(after).size).toBe(after.length);
        } finally {
          await kafka.dispose();
        }
      },
      TEST_MS,
    );
  });
});
