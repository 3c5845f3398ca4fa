import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { afterEach, expect, it } from 'vitest';
import { FencedError, IdentityMismatchError } from '../../../src/log/errors.ts';
import { BrokerRetry } from '../../../src/log/kafka/client/broker-retry.ts';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import { SILENT } from '../../../src/log/kafka/kafka-options.ts';
import { ensureKafkaTopics } from '../../../src/log/kafka/kafka-topics.ts';
import { inSteps, readRecords } from '../../../src/log/kafka/reader/read-records.ts';
import { PartitionReader } from '../../../src/log/kafka/wire/partition-reader.ts';
import { TransactionalProducer } from '../../../src/log/kafka/writer/transactional-producer.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { EVERYTHING, keys, readLane, step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';

const SIXTEEN_MB = 16 << 20;

await describeWithKafka('a log in Kafka', (brokers) => {
  let log: KafkaLog;
  afterEach(() => log.dispose());

  async function open() {
    log = await kafkaLog(brokers());
    const bus = await log.open();
    await bus.establish(IDENTITY);
    return bus;
  }

  const dataTopic = () => `${log.options.prefix}.${TOPIC}`;
  const kafka = () => new kafkajs.Kafka({ brokers: [...brokers()], logLevel: kafkajs.logLevel.NOTHING });

  it('carries records of 16 MB, and many in one append', async () => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    const values = Array.from({ length: 3 }, () => randomBytes(SIXTEEN_MB));
    const records = values.map((value, index) => ({ key: `${index}`, headers: {}, value }));
    await writer.append([{ ...step(3), records }]);
    const found = await bus.read(TOPIC, 0, 0, { records: 1, bytes: 1 });
    expect(found.map(({ value }, index) => Buffer.compare(value, values[index] as Buffer))).toEqual([
      0, 0, 0,
    ]);
    const small = Array.from({ length: 3_000 }, (_, index) => ({
      key: `${index}`,
      headers: {},
      value: randomBytes(10),
    }));
    await writer.append([{ ...step(4), records: small }]);
    const from = (found.at(-1)?.offset ?? 0) + 1;
    expect(keys(await bus.read(TOPIC, 0, from, EVERYTHING))).toEqual(small.map(({ key }) => key));
  });

  it("reports the broker's offsets when expected records are missing", async () => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    await writer.append([step(0, 2)]);
    const client = new KafkaClient(log.options);
    const reader = new PartitionReader(client);
    const written = await reader.offset(dataTopic(), 0, 'written');
    const { signal } = new AbortController();
    const brokerRetry = new BrokerRetry({
      brokers: brokers(),
      unavailableMs: 1_000,
      log: SILENT,
      closed: signal,
    });
    const topic = { topic: dataTopic(), asLogRecord: inSteps };
    const range = { lane: 0, first: written, next: written + 5 };
    await expect(readRecords({ brokerRetry, reader }, topic, range, EVERYTHING)).rejects.toThrow(
      `expected records of offsets ${written} to ${written + 4}, ` +
        `found none: last stable offset ${written}, high watermark ${written}`,
    );
    await reader.close();
    client.destroy();
  });

  it("shows only what was committed, to Kafka's own readers too", async () => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    await writer.append([step(0, 2)]);
    // Another owner of the writer's transactional id: its transaction stays open, and fences the writer.
    const client = new KafkaClient(log.options);
    const intruder = await TransactionalProducer.open(client, `${dataTopic()}.writer`);
    const left = await intruder.begin();
    await left.send({ topic: dataTopic(), messages: [{ partition: 0, key: 'ghost', value: 'ghost' }] });
    await writer.append([step(1)]);
    await writer.append([step(2, 2)]);
    const expected = ['0/0', '0/1', '1/0', '2/0', '2/1'];
    expect(keys(await readLane(bus, TOPIC, 0))).toEqual(expected);
    await expect(left.commit()).rejects.toThrow();
    await intruder.close();
    const seen: string[] = [];
    const consumer = kafka().consumer({ groupId: `${log.options.prefix}.reader`, maxBytes: 1_000_000 });
    await consumer.connect();
    await consumer.subscribe({ topic: dataTopic(), fromBeginning: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    await consumer.run({
      eachMessage: async ({ message }) => {
        seen.push(String(message.key));
        if (seen.length === expected.length) resolve();
      },
    });
    await promise;
    await consumer.disconnect();
    expect(seen).toEqual(expected);
  });

  it('fences a writer whose lease was taken over, even if the new owner does nothing', async () => {
    const bus = await open();
    const first = await bus.writer(TOPIC, 'first', 50);
    await first.append([step(0)]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const other = await (await log.open()).writer(TOPIC, 'second', 60_000);
    await expect(first.append([step(1)])).rejects.toBeInstanceOf(FencedError);
    await expect(first.append([])).rejects.toBeInstanceOf(FencedError);
    expect((await other.tail())?.key).toBe('0/0');
    expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['0/0']);
  });

  it('deletes trimmed records in Kafka, and only those', async () => {
    const bus = await open();
    const writer = await bus.writer(TOPIC, 'w', 60_000);
    await writer.append([step(0, 3), step(10), step(40)]);
    await writer.append([step(1), step(11)]);
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 60_000 });
    for (const lease of await consumer.claim()) {
      const { next } = (await bus.bounds(TOPIC))[lease.lane] ?? { next: 0 };
      await consumer.commit(lease, next);
    }
    // Lane 0: epoch 0, the tail in epoch 4, epoch 0 again; lane 1: epoch 1 only.
    expect(await bus.trim(TOPIC, 100)).toEqual([1]);
    const admin = kafka().admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(dataTopic());
    await admin.disconnect();
    const low = offsets.sort((a, b) => a.partition - b.partition).map((entry) => Number(entry.low));
    expect(low).toEqual([3, (await bus.bounds(TOPIC))[1]?.next, 0, 0]);
    expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['40/0', '1/0']);
    expect(await readLane(bus, TOPIC, 1)).toEqual([]);
    await writer.append([step(12)]);
    expect(keys(await readLane(bus, TOPIC, 1))).toEqual(['12/0']);
  });

  it('refuses another network, and keeps logs of other prefixes apart', async () => {
    const bus = await open();
    await (await bus.writer(TOPIC, 'w', 60_000)).append([step(0)]);
    const same = await log.open();
    await expect(same.establish({ ...IDENTITY, id: 'cc:dd' })).rejects.toBeInstanceOf(IdentityMismatchError);
    const other = await kafkaLog(brokers());
    try {
      const empty = await other.open();
      expect(await empty.identity()).toBeNull();
      expect(await empty.topics()).toEqual([]);
      await empty.establish({ ...IDENTITY, id: 'cc:dd', lanes: 2 });
      expect(await empty.read(TOPIC, 0, 0, EVERYTHING)).toEqual([]);
    } finally {
      await other.dispose();
    }
  });

  it('creates its topics, and reports which of their settings were changed', async () => {
    log = await kafkaLog(brokers());
    const wanted = { identity: IDENTITY, topics: [{ name: TOPIC, kind: 'steps' as const }] };
    const { prefix } = log.options;
    const names = [`${prefix}._control`, dataTopic(), `${prefix}._index.${TOPIC}`];
    const made = await ensureKafkaTopics(log.options, wanted);
    expect(made.map(({ topic, partitions, differences }) => [topic, partitions, differences])).toEqual([
      [names[0], 1, []],
      [names[1], IDENTITY.lanes, []],
      [names[2], 1, []],
    ]);
    const admin = kafka().admin();
    await admin.connect();
    const configEntries = [{ name: 'retention.ms', value: '1000' }];
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type, name: dataTopic(), configEntries }],
    });
    await admin.disconnect();
    // Brokers report a changed setting slightly later.
    await expect
      .poll(async () => (await ensureKafkaTopics(log.options, wanted))[1]?.differences)
      .toContainEqual({ setting: 'retention.ms', expected: '-1', found: '1000' });
    const other = { ...wanted, identity: { ...IDENTITY, lanes: 5 } };
    await expect(ensureKafkaTopics(log.options, other)).rejects.toBeInstanceOf(IdentityMismatchError);
  });
});
