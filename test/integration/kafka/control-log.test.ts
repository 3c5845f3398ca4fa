import kafkajs from 'kafkajs';
import { afterEach, expect, it } from 'vitest';
import type { Bus } from '../../../src/log/port.ts';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { step } from '../../contract/log/log-fixture.ts';
import { IDENTITY, TOPIC } from '../../contract/log/test-steps.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';

await describeWithKafka('the control log', (brokers) => {
  let log: KafkaLog;
  afterEach(() => log.dispose());

  async function bounds(): Promise<{ low: number; high: number }> {
    const admin = new kafkajs.Kafka({ brokers: [...brokers()], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    const [found] = await admin.fetchTopicOffsets(`${log.options.prefix}._control`);
    await admin.disconnect();
    return { low: Number(found?.low), high: Number(found?.high) };
  }

  /** Facts of the log visible to a process. */
  async function picture(bus: Bus) {
    return {
      identity: await bus.identity(),
      topics: await bus.topics(),
      lag: await bus.lag(),
      bounds: await bus.bounds(TOPIC),
    };
  }

  it('stays short: snapshots take the place of old commands, and a new process begins with one', async () => {
    log = await kafkaLog(brokers(), { snapshotEvery: 20 });
    const bus = await log.open();
    const idle = await log.open();
    await bus.establish(IDENTITY);
    await (await bus.writer(TOPIC, 'w', 60_000)).append([step(0, 3), step(10)]);
    const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 60_000 });
    for (let claims = 0; claims < 150; claims++) await consumer.claim();
    const [lease] = await consumer.claim();
    if (!lease) throw new Error('no lease');
    await consumer.commit(lease, 3);
    const entry = { lane: 1, epoch: 1, from: 0, next: 1, firstPosition: 10, lastPosition: 10 };
    const second = { ...lease, lane: 1 };
    await consumer.journal(second, { ...entry, attempt: 1, expected: { rows: 1 } });
    for (let claims = 0; claims < 60; claims++) await consumer.claim();
    const { low, high } = await bounds();
    expect(low).toBeGreaterThan(100);
    expect(high - low).toBeLessThan(80);
    const late = await log.open();
    const expected = await picture(bus);
    expect(expected.lag.slice(0, 2).map(({ committed, owner }) => [committed, owner])).toEqual([
      [3, 'a'],
      [0, 'a'],
    ]);
    expect(await picture(late)).toEqual(expected);
    expect(await picture(idle)).toEqual(expected);
    // The journal survives in the snapshot: the same member goes on in the new process.
    const again = await late.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 60_000 });
    const leases = await again.claim();
    const taken = leases.find(({ lane }) => lane === 1);
    if (!taken) throw new Error('lane 1 was not taken');
    expect(await again.pending(taken)).toMatchObject(entry);
  });

  it('orders commands that many processes give at once: each lane has one owner', async () => {
    log = await kafkaLog(brokers(), { snapshotEvery: 25 });
    const buses = await Promise.all([log.open(), log.open(), log.open(), log.open()]);
    await Promise.all(buses.map((bus) => bus.establish(IDENTITY)));
    const members = await Promise.all(
      buses.map((bus, index) =>
        bus.consumer({ topic: TOPIC, group: 'g', owner: `m${index}`, sessionMs: 60_000 }),
      ),
    );
    for (let round = 0; round < 20; round++) {
      const shares = await Promise.all(members.map((member) => member.claim()));
      const owners = shares.flat().map(({ lane, generation }) => `${lane}:${generation}`);
      expect(new Set(owners).size).toBe(owners.length);
    }
    const shares = await Promise.all(members.map((member) => member.claim()));
    expect(shares.map((share) => share.length)).toEqual([1, 1, 1, 1]);
  });
});
