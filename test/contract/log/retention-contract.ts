import { describe, expect, it } from 'vitest';
import type { Bus, LaneLease, LogConsumer } from '../../../src/log/port.ts';
import {
  EVERYTHING,
  eachTestOwnsALog,
  keys,
  type LogFactory,
  readLane,
  record,
  step,
  TOPIC,
} from './log-fixture.ts';

const LETTERS = 'dead-letters';

async function commitAll(bus: Bus, consumer: LogConsumer, leases: readonly LaneLease[]): Promise<void> {
  const bounds = await bus.bounds(TOPIC);
  for (const lease of leases) await consumer.commit(lease, bounds[lease.lane]?.next ?? 0);
}

export function retentionContract(factory: LogFactory): void {
  describe('put', () => {
    const { fresh } = eachTestOwnsALog(factory);

    it('appends single records without a lease, durably', async () => {
      const log = await fresh();
      const bus = await log.open();
      const other = await log.open();
      expect(await bus.put(LETTERS, record('one'))).toBe(0);
      expect(await other.put(LETTERS, record('two', new Uint8Array(0)))).toBe(1);
      expect(await bus.put('other', record('three'))).toBe(0);
      await bus.close();
      const found = await other.read(LETTERS, 0, 0, EVERYTHING);
      expect(found).toMatchObject([
        { ...record('one'), lane: 0, offset: 0, endsStep: true },
        { key: 'two', lane: 0, offset: 1, endsStep: true },
      ]);
      expect(keys(await other.read(LETTERS, 0, 1, EVERYTHING))).toEqual(['two']);
      expect(await other.bounds(LETTERS)).toEqual([{ lane: 0, first: 0, next: 2 }]);
      expect(await other.topics()).toEqual([LETTERS, 'other']);
    });

    it('counts offsets without gaps when many processes append at the same time', async () => {
      const log = await fresh();
      const buses = [await log.open(), await log.open()];
      const given = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (buses[index % 2] as Bus).put(LETTERS, record(`${index}`))),
      );
      expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    });
  });

  describe('trim', () => {
    const { bus: newBus } = eachTestOwnsALog(factory);
    const big = (position: number) => ({
      ...step(position),
      records: [record('big', new Uint8Array(2_000_000))],
    });

    it('frees what all groups have passed, below the epoch given', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'w', 10_000);
      await writer.append([big(0), big(10), big(20), step(30), step(40)]);
      const decode = await bus.consumer({ topic: TOPIC, group: 'decode', owner: 'a', sessionMs: 10_000 });
      const traces = await bus.consumer({ topic: TOPIC, group: 'traces', owner: 'a', sessionMs: 10_000 });
      const slow = await traces.claim();
      await commitAll(bus, decode, await decode.claim());
      expect(await bus.trim(TOPIC, 3)).toEqual([]);
      await commitAll(
        bus,
        traces,
        slow.filter(({ lane }) => lane < 2),
      );
      const before = await bus.size();
      expect(await bus.trim(TOPIC, 3)).toEqual([0, 1]);
      expect(before - (await bus.size())).toBeGreaterThan(3_500_000);
      await commitAll(bus, traces, slow);
      expect(await bus.trim(TOPIC, 1)).toEqual([]);
      expect(await bus.trim(TOPIC, 3)).toEqual([2]);
      expect(await bus.bounds(TOPIC)).toEqual([
        { lane: 0, first: 1, next: 2 },
        { lane: 1, first: 1, next: 1 },
        { lane: 2, first: 1, next: 1 },
        { lane: 3, first: 0, next: 1 },
      ]);
      expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['40/0']);
    });

    it('keeps the tail, and offsets continue after the freed part', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'w', 10_000);
      await writer.append([step(0), step(1), step(10)]);
      expect(await bus.trim(TOPIC, 100)).toEqual([0]);
      expect(await writer.tail()).toMatchObject({ position: 10 });
      await writer.append([step(2)]);
      const [added] = await bus.read(TOPIC, 0, 0, EVERYTHING);
      expect(added).toMatchObject({ key: '2/0' });
      expect(added?.offset).toBeGreaterThanOrEqual(2);
      const late = await bus.consumer({ topic: TOPIC, group: 'late', owner: 'a', sessionMs: 1000 });
      expect((await late.claim())[0]).toMatchObject({ lane: 0, committed: 2 });
    });
  });

  describe('close', () => {
    const { bus: newBus } = eachTestOwnsALog(factory);

    it('finishes calls under way, ends waits and refuses new calls', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'w', 1000);
      const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 1000 });
      const waiting = consumer.waitForData(60_000).then(
        () => 'resolved',
        (error: Error) => error.message,
      );
      const appending = writer.append([step(0)]);
      const closing = bus.close();
      await appending;
      await closing;
      await bus.close();
      expect(await waiting).toMatch(/resolved|closed/);
      await expect(bus.topics()).rejects.toThrow('closed');
      await expect(consumer.claim()).rejects.toThrow('closed');
    });

    it('rejects a wait that nothing ended', async () => {
      const bus = await newBus();
      const consumer = await bus.consumer({ topic: TOPIC, group: 'g', owner: 'a', sessionMs: 1000 });
      const waiting = consumer.waitForData(60_000);
      const expected = expect(waiting).rejects.toThrow('closed');
      await bus.close();
      await expected;
    });
  });
}
