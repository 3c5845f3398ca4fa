import { describe, expect, it } from 'vitest';
import { ChainGapError, FencedError } from '../../../src/log/errors.ts';
import type { Bus, JournalEntry, LaneLease, LogConsumer, LogRecord } from '../../../src/log/port.ts';
import { toOffset } from '../../../src/log/port.ts';
import {
  EVERYTHING,
  eachTestOwnsALog,
  IDENTITY,
  keys,
  type LogFactory,
  pause,
  SESSION_MS,
  step,
  TOPIC,
} from './log-fixture.ts';

const PARTITIONS = 3;
const join = (bus: Bus, owner: string, sessionMs = 10_000, partitions = PARTITIONS) =>
  bus.consumer({ topic: TOPIC, group: 'chain', owner, sessionMs, partitions });
const lanes = (leases: readonly LaneLease[]) => leases.map(({ lane }) => lane);
const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
/** Two records a step, over all lanes and twice around them. */
const steps = (first: number, last: number) => span(first, last).map((position) => step(position, 2));
const keysOf = (first: number, last: number) => span(first, last).flatMap((p) => [`${p}/0`, `${p}/1`]);

/** Everything that a partition reads from an offset on. */
async function readChain(consumer: LogConsumer, partition: number, from: number): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let at = from; ; at = (all.at(-1)?.offset ?? 0) + 1) {
    const records = await consumer.read(partition, at, { records: 5, bytes: 1 << 20 });
    if (records.length === 0) return all;
    expect(new Set(records.map(({ epoch }) => epoch)).size).toBe(1);
    all.push(...records);
  }
}

/** A batch of steps of one epoch, both ends inclusive. */
function entryOf(lane: number, first: number, last: number): JournalEntry {
  return {
    lane,
    epoch: Math.floor(first / IDENTITY.epochSize),
    from: toOffset(first),
    next: toOffset(last) + 2,
    firstPosition: first,
    lastPosition: last,
    attempt: 1,
    expected: { activity: 1 },
  };
}

export function partitionContract(factory: LogFactory): void {
  describe('partitions', () => {
    const { fresh } = eachTestOwnsALog(factory);

    async function setUp(last = 95) {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      const writer = await bus.writer(TOPIC, 'w', 5_000);
      for (let first = 1; first <= last; first += 7)
        await writer.append(steps(first, Math.min(first + 6, last)));
      return { log, bus, writer };
    }

    async function alone(bus: Bus, sessionMs?: number) {
      const consumer = await join(bus, 'a', sessionMs);
      const [lease] = await consumer.claim();
      if (!lease) throw new Error('no lease');
      return { consumer, lease };
    }

    it('are shared among the members, independently of groups that share lanes', async () => {
      const { log, bus } = await setUp();
      const [a, b] = [await join(bus, 'a'), await join(await log.open(), 'b')];
      const other = await bus.consumer({ topic: TOPIC, group: 'decode', owner: 'a', sessionMs: 10_000 });
      expect(lanes(await a.claim())).toEqual([0, 1, 2]);
      expect(lanes(await other.claim())).toEqual([0, 1, 2, 3]);
      for (const member of [b, a, b]) await member.claim();
      const shares = [lanes(await a.claim()), lanes(await b.claim())];
      expect(shares.flat().sort()).toEqual([0, 1, 2]);
      await a.release();
      expect(lanes(await b.claim())).toEqual([0, 1, 2]);
    });

    it('read the whole log in the order of the chain, each for itself', async () => {
      const { bus } = await setUp();
      const { consumer } = await alone(bus);
      const records = await readChain(consumer, 2, 0);
      expect(keys(records)).toEqual(keysOf(1, 95));
      expect(records.every(({ lane }) => lane === 2)).toBe(true);
      expect(records[0]?.offset).toBe(toOffset(1));
      expect(keys(await readChain(consumer, 0, toOffset(42)))).toEqual(keysOf(42, 95));
      expect(keys(await readChain(consumer, 0, toOffset(59) + 2))).toEqual(keysOf(60, 95));
    });

    it('find a step that is followed by copies of earlier steps', async () => {
      const { bus, writer } = await setUp();
      for (let copy = 0; copy < 4; copy++) await writer.append(steps(1, 30));
      for (const position of [25, 60, 82, 95]) {
        const { consumer } = await alone(bus);
        expect(keys(await readChain(consumer, 0, toOffset(position)))).toEqual(keysOf(position, 95));
        await consumer.release();
      }
      expect(await bus.highest(TOPIC)).toBe(95);
    });

    it('commit places of their own, across restarts', async () => {
      const { log, bus } = await setUp();
      const { consumer, lease } = await alone(bus);
      await consumer.journal(lease, entryOf(0, 1, 9));
      await consumer.confirm(lease, entryOf(0, 1, 9));
      await consumer.journal(lease, entryOf(0, 10, 14));
      await bus.close();
      const again = await log.open();
      const [first, second] = await (await join(again, 'a')).claim();
      expect(first).toMatchObject({ lane: 0, committed: toOffset(9) + 2 });
      expect(second).toMatchObject({ lane: 1, committed: 0 });
      const lag = (await again.lag()).filter(({ group }) => group === 'chain');
      expect(lag.map(({ committed, end, isPartition }) => [committed, end, isPartition])).toEqual([
        [10, 96, true],
        [0, 96, true],
        [0, 96, true],
      ]);
    });

    it('journal whole steps of one epoch, from the one that comes next', async () => {
      const { bus } = await setUp();
      const { consumer, lease } = await alone(bus);
      await consumer.commit(lease, toOffset(21));
      const entry = entryOf(0, 21, 25);
      for (const wrong of [
        { ...entry, from: toOffset(22) },
        { ...entry, from: toOffset(20) },
        { ...entry, next: toOffset(21) },
        { ...entry, next: toOffset(31) + 2 },
        { ...entry, epoch: 3 },
        { ...entry, lane: 1 },
        { ...entryOf(0, 21, 200), epoch: 2 },
      ])
        await expect(consumer.journal(lease, wrong)).rejects.toThrow('expected');
      await expect(consumer.commit(lease, toOffset(20))).rejects.toThrow('expected');
      await expect(consumer.commit(lease, toOffset(97))).rejects.toThrow('expected');
      await consumer.journal(lease, entry);
      expect(await consumer.pending(lease)).toEqual(entry);
      await consumer.confirm(lease, entry);
      await consumer.journal(lease, entryOf(0, 26, 29));
    });

    it('are fenced and leased like lanes', async () => {
      const { log, bus } = await setUp();
      const { consumer: silent, lease } = await alone(bus, SESSION_MS);
      await silent.journal(lease, entryOf(0, 1, 3));
      await pause(SESSION_MS + 50);
      const other = await join(await log.open(), 'other');
      const [taken] = await other.claim();
      if (!taken) throw new Error('no lease');
      expect(await other.pending(taken)).toEqual(entryOf(0, 1, 3));
      await expect(silent.confirm(lease, entryOf(0, 1, 3))).rejects.toBeInstanceOf(FencedError);
      await expect(silent.commit(lease, toOffset(4))).rejects.toBeInstanceOf(FencedError);
      await other.confirm(taken, entryOf(0, 1, 3));
      expect(await silent.claim()).toEqual([]);
    });

    it.each([
      ['another number of partitions', { partitions: 2 }],
      ['lanes', {}],
      ['no partitions', { partitions: 0 }],
    ])('refuse a member that asks for %s', async (_, asked) => {
      const { bus } = await setUp(3);
      await join(bus, 'a');
      const options = { topic: TOPIC, group: 'chain', owner: 'b', sessionMs: 10_000, ...asked };
      await expect(bus.consumer(options)).rejects.toThrow('expected');
    });

    it('are refused to a group that shares lanes', async () => {
      const { bus } = await setUp(3);
      await bus.consumer({ topic: TOPIC, group: 'chain', owner: 'a', sessionMs: 10_000 });
      await expect(join(bus, 'a')).rejects.toThrow('expected');
    });

    it('delay freeing until all of them have passed', async () => {
      const { bus } = await setUp();
      const { consumer } = await alone(bus);
      const leases = await consumer.claim();
      expect(await bus.trim(TOPIC, 9)).toEqual([]);
      for (const [i, lease] of leases.entries()) await consumer.commit(lease, toOffset(i === 1 ? 29 : 50));
      expect(await bus.trim(TOPIC, 9)).toEqual([0, 1]);
      expect(keys(await readChain(consumer, 1, toOffset(29)))).toEqual(keysOf(29, 95));
      await consumer.commit(leases[1] as LaneLease, toOffset(40));
      expect(await bus.trim(TOPIC, 3)).toEqual([2]);
      await expect(consumer.read(0, toOffset(5), EVERYTHING)).rejects.toBeInstanceOf(ChainGapError);
      expect(keys(await consumer.read(0, 0, EVERYTHING))).toEqual(keysOf(30, 39));
    });

    it('begin with the first step that is kept', async () => {
      const { bus } = await setUp();
      await bus.trim(TOPIC, 3);
      const { consumer, lease } = await alone(bus);
      expect(keys(await readChain(consumer, 0, lease.committed))).toEqual(keysOf(30, 95));
      await consumer.journal(lease, entryOf(0, 30, 34));
    });

    it('are notified of a step that is appended, to the current lane and to the next one', async () => {
      const { bus, log } = await setUp(98);
      const { consumer } = await alone(bus);
      const writer = await (await log.open()).writer(TOPIC, 'w', 5_000);
      for (const position of [99, 100, 101]) {
        expect(await consumer.read(0, toOffset(position), EVERYTHING)).toEqual([]);
        // Between an empty read and the wait, or while it waits.
        const early = position === 100 ? [writer.append([step(position)])] : [];
        await Promise.all(early);
        const waiting = consumer.waitForData(120_000);
        await pause(60);
        if (early.length === 0) await writer.append([step(position)]);
        const before = Date.now();
        await waiting;
        expect(Date.now() - before).toBeLessThan(60_000);
        expect(await consumer.read(0, toOffset(position), EVERYTHING)).toHaveLength(1);
      }
    });
  });
}
