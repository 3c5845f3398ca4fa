import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BrokerUnavailableError } from '../../../src/log/kafka/client/errors.ts';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import { type KafkaBusOptions, SILENT } from '../../../src/log/kafka/kafka-options.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import {
  sendInTransaction,
  TransactionalProducer,
} from '../../../src/log/kafka/writer/transactional-producer.ts';
import type { Bus, LogRecord } from '../../../src/log/port.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { EVERYTHING, pause } from '../../contract/log/log-fixture.ts';
import { chainStep, IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';

const SEED = 77;
const APPENDS = 60;

/** Every record of the log, in the order of the chain. */
async function readAll(bus: Bus): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let lane = 0; lane < IDENTITY.lanes; lane++) {
    for (let from = 0; ; ) {
      const batch = await bus.read(TOPIC, lane, from, { records: 7, bytes: 100_000 });
      const last = batch.at(-1);
      if (!last) break;
      all.push(...batch);
      from = last.offset + 1;
    }
  }
  return all.sort((a, b) => a.position - b.position || a.offset - b.offset);
}

const chainKeys = (steps: number) =>
  Array.from({ length: steps }, (_, position) => chainStep(SEED, position)).flatMap(({ position, records }) =>
    records.map(({ key }) => `${position}: ${key}`),
  );
const keysOf = (records: readonly LogRecord[]) => records.map(({ position, key }) => `${position}: ${key}`);

describeWithOwnBroker('a broker that fails', (broker) => {
  let log: KafkaLog;
  const warnings: string[] = [];
  const hear = (warning: Error) => void warnings.push(warning.message);
  beforeAll(() => void process.on('warning', hear));
  afterAll(() => void process.off('warning', hear));
  afterEach(async () => {
    await log.dispose();
    expect(warnings).toEqual([]);
  });

  async function open(more: Partial<KafkaBusOptions> = {}): Promise<Bus> {
    log = await kafkaLog(broker().brokers, more);
    const bus = await log.open();
    await bus.establish(IDENTITY);
    return bus;
  }

  const failures: readonly [string, () => Promise<void>][] = [
    [
      'killed and started again',
      async () => {
        await broker().kill();
        await pause(500);
        await broker().start();
      },
    ],
    [
      'paused for seconds',
      async () => {
        broker().pause();
        await pause(3_000);
        broker().resume();
      },
    ],
  ];

  it.each(failures)('%s while steps are appended and read loses and doubles nothing', async (_, fail) => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 10_000);
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'c', sessionMs: 60_000 });
    const leases = await consumer.claim();
    const seen: LogRecord[] = [];
    let stop = false;
    const reading = Promise.all(
      leases.map(async ({ lane }) => {
        for (let from = 0; ; ) {
          const batch = await consumer.read(lane, from, { records: 5, bytes: 50_000 });
          seen.push(...batch);
          from = (batch.at(-1)?.offset ?? from - 1) + 1;
          if (batch.length === 0 && stop) return;
          if (batch.length === 0) await consumer.waitForData(100);
        }
      }),
    );
    const failing = pause(300).then(fail);
    // Awaited below; if an append fails before, its failure is the test's, not the closed bus's.
    reading.catch(() => {});
    failing.catch(() => {});
    for (let position = 0; position < APPENDS; position++) {
      await writer.append([chainStep(SEED, position)]);
      await pause(10);
    }
    await failing;
    await writer.append([chainStep(SEED, APPENDS)]);
    stop = true;
    await reading;
    seen.sort((a, b) => a.position - b.position || a.offset - b.offset);
    expect(keysOf(seen)).toEqual(chainKeys(APPENDS + 1));
    expect(keysOf(await readAll(bus))).toEqual(chainKeys(APPENDS + 1));
  });

  it('killed: claims, journal and dead letters go on when it is back', async () => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    await writer.append([chainStep(SEED, 0)]);
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'c', sessionMs: 60_000 });
    const [lease] = await consumer.claim();
    const [first] = await bus.read(TOPIC, 0, 0, EVERYTHING);
    if (!lease || !first) throw new Error('nothing to work on');
    const place = { lane: 0, epoch: 0, from: 0, firstPosition: 0, lastPosition: 0 };
    const entry = {
      ...place,
      next: chainStep(SEED, 0).records.length,
      attempt: 1,
      expected: { blocks: 1 },
    };
    await broker().kill();
    const calls = Promise.all([
      consumer.claim(),
      consumer.journal(lease, entry),
      bus.put('dead-letters', { key: 'k', headers: {}, value: new Uint8Array([1]) }),
      bus.lag(),
    ]);
    await pause(1_000);
    await broker().start();
    const [leases] = await calls;
    expect(leases).toHaveLength(IDENTITY.lanes);
    expect(await consumer.pending(lease)).toEqual(entry);
    await consumer.confirm(lease, entry);
    expect((await bus.lag())[0]).toMatchObject({ committed: entry.next, end: entry.next });
    expect(await bus.read('dead-letters', 0, 0, EVERYTHING)).toMatchObject([{ key: 'k' }]);
  });

  it('away for longer than the bus may wait: every call fails and names it', async () => {
    const bus = await open({ unavailableMs: 1_500, closeMs: 100 });
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    await broker().kill();
    try {
      const errors = await Promise.all(
        [
          writer.append([chainStep(SEED, 0)]),
          bus.lag(),
          bus.put('x', { key: '', headers: {}, value: new Uint8Array() }),
        ].map((call) => Promise.resolve(call).catch((error: unknown) => error)),
      );
      for (const error of errors) {
        expect(error).toBeInstanceOf(BrokerUnavailableError);
        expect((error as Error).message).toContain(broker().brokers[0]);
      }
      const opening = createKafkaBus({ ...log.options, unavailableMs: 500 });
      await expect(opening).rejects.toBeInstanceOf(BrokerUnavailableError);
    } finally {
      await broker().start();
    }
    await writer.append([chainStep(SEED, 0)]);
    expect(keysOf(await readAll(bus))).toEqual(chainKeys(1));
  });

  it('after a transaction that stays open: an append takes over its id, and is stored once', async () => {
    const still = Promise.withResolvers<void>();
    const listen = (facts: object) => {
      if (JSON.stringify(facts).includes('does not continue after')) still.resolve();
    };
    const bus = await open({ log: { ...SILENT, debug: listen, warn: listen } });
    const writer = await bus.writer(TOPIC, 'w', 600_000);
    await writer.append([chainStep(SEED, 0)]);
    const client = new KafkaClient(log.options);
    try {
      const stranger = await TransactionalProducer.open(client, `${log.options.prefix}.stranger`);
      const left = await stranger.begin();
      const index = new TopicSettings(log.options.prefix).index(TOPIC);
      await sendInTransaction(left, index, [{ partition: 0, key: 'tail', value: 'of nobody' }]);
      const appending = writer.append([chainStep(SEED, 1)]);
      await Promise.race([still.promise, appending]);
      // Time in which the append would be written again, if its being hidden were taken for its being aborted.
      await Promise.race([pause(3_000), appending]);
      // The broker ends it too, when it has been open for a minute.
      await left.abort().catch(() => {});
      await appending;
      await writer.append([chainStep(SEED, 2)]);
      expect(keysOf(await readAll(bus))).toEqual(chainKeys(3));
    } finally {
      client.destroy();
    }
  });

  describe('while the bus closes', () => {
    it('does not keep it', async () => {
      const bus = await open({ closeMs: 300 });
      const writer = await bus.writer(TOPIC, 'w', 60_000);
      broker().pause();
      try {
        const appending = writer.append([chainStep(SEED, 0)]).catch((error: Error) => error.name);
        const begun = Date.now();
        await bus.close();
        expect(Date.now() - begun).toBeLessThan(25_000);
        expect(await appending).toBe('BusClosedError');
      } finally {
        broker().resume();
      }
    });
  });
});
