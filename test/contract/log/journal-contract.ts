import { describe, expect, it } from 'vitest';
import { FencedError } from '../../../src/log/errors.ts';
import type { Bus, JournalEntry, LaneLease, LogConsumer } from '../../../src/log/port.ts';
import {
  eachTestOwnsALog,
  IDENTITY,
  type LogFactory,
  pause,
  SESSION_MS,
  step,
  TOPIC,
} from './log-fixture.ts';

const ENTRY: JournalEntry = {
  lane: 0,
  epoch: 0,
  from: 0,
  next: 3,
  firstPosition: 0,
  lastPosition: 1,
  attempt: 1,
  expected: { blocks: 3, messages: 0 },
};

interface Member {
  readonly consumer: LogConsumer;
  /** The lease of lane 0. */
  readonly lease: LaneLease;
}

async function join(bus: Bus, owner: string, sessionMs = 10_000): Promise<Member> {
  const consumer = await bus.consumer({ topic: TOPIC, group: 'decode', owner, sessionMs });
  const [lease] = await consumer.claim();
  if (lease?.lane !== 0) throw new Error(`${owner} has no lease of lane 0`);
  return { consumer, lease };
}

export function journalContract(factory: LogFactory): void {
  describe('journal', () => {
    const { fresh } = eachTestOwnsALog(factory);

    async function setUp() {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      const writer = await bus.writer(TOPIC, 'w', 1000);
      // Lane 0: offsets 0 to 4 of epoch 0, then 5 and 6 of epoch 4.
      await writer.append([step(0, 2), step(1), step(2, 2), step(40, 2)]);
      return { log, bus };
    }

    it('keeps one batch a lane until it is confirmed', async () => {
      const { bus } = await setUp();
      const { consumer, lease } = await join(bus, 'a');
      expect(await consumer.pending(lease)).toBeNull();
      await consumer.journal(lease, ENTRY);
      expect(await consumer.pending(lease)).toEqual(ENTRY);
      await consumer.confirm(lease, ENTRY);
      expect(await consumer.pending(lease)).toBeNull();
      expect((await bus.lag())[0]).toMatchObject({ committed: 3 });
      await consumer.journal(lease, { ...ENTRY, from: 3, next: 5, expected: {} });
    });

    it('hands an unconfirmed batch to the next owner, across a restart', async () => {
      const { log, bus } = await setUp();
      const first = await join(bus, 'a', SESSION_MS);
      await first.consumer.journal(first.lease, ENTRY);
      await bus.close();
      await pause(SESSION_MS + 50);
      const next = await join(await log.open(), 'b');
      expect(next.lease.committed).toBe(0);
      expect(await next.consumer.pending(next.lease)).toEqual(ENTRY);
      const again = { ...ENTRY, attempt: 2 };
      await next.consumer.journal(next.lease, again);
      await expect(next.consumer.confirm(next.lease, ENTRY)).rejects.toThrow('attempt 2');
      await next.consumer.confirm(next.lease, again);
      expect(await next.consumer.pending(next.lease)).toBeNull();
    });

    it.each([
      ['another range', { ...ENTRY, next: 5 }],
      ['the same attempt', ENTRY],
      ['the range behind it', { ...ENTRY, from: 3, next: 5 }],
    ])('refuses %s while a batch is pending', async (_, entry) => {
      const { bus } = await setUp();
      const { consumer, lease } = await join(bus, 'a');
      await consumer.journal(lease, ENTRY);
      await expect(consumer.journal(lease, entry)).rejects.toThrow('expected');
      await expect(consumer.commit(lease, 3)).rejects.toThrow('expected');
      expect(await consumer.pending(lease)).toEqual(ENTRY);
    });

    it.each([
      ['that leaves a gap', { ...ENTRY, from: 1 }],
      ['of no records', { ...ENTRY, next: 0 }],
      ['that crosses an epoch border', { ...ENTRY, next: 6 }],
      ['beyond the end', { ...ENTRY, next: 100 }],
      ['of another epoch', { ...ENTRY, epoch: 4 }],
      ['of another lane', { ...ENTRY, lane: 1 }],
    ])('refuses a batch %s', async (_, entry) => {
      const { bus } = await setUp();
      const { consumer, lease } = await join(bus, 'a');
      await expect(consumer.journal(lease, entry)).rejects.toThrow('expected');
      expect(await consumer.pending(lease)).toBeNull();
    });

    it('confirms nothing that was not journalled', async () => {
      const { bus } = await setUp();
      const { consumer, lease } = await join(bus, 'a');
      await expect(consumer.confirm(lease, ENTRY)).rejects.toThrow('expected');
      expect((await bus.lag())[0]).toMatchObject({ committed: 0 });
    });

    it('fences an owner that was away too long', async () => {
      const { log, bus } = await setUp();
      const away = await join(bus, 'away', SESSION_MS);
      await away.consumer.journal(away.lease, ENTRY);
      await pause(SESSION_MS + 50);
      const next = await join(await log.open(), 'next');
      await expect(away.consumer.confirm(away.lease, ENTRY)).rejects.toBeInstanceOf(FencedError);
      await expect(away.consumer.journal(away.lease, { ...ENTRY, attempt: 2 })).rejects.toBeInstanceOf(
        FencedError,
      );
      expect(await next.consumer.pending(next.lease)).toEqual(ENTRY);
      await next.consumer.confirm(next.lease, ENTRY);
    });

    it('starts no batch under a lapsed lease, even if no other process took it', async () => {
      const { bus } = await setUp();
      const { consumer, lease } = await join(bus, 'a', 50);
      await pause(100);
      await expect(consumer.journal(lease, ENTRY)).rejects.toBeInstanceOf(FencedError);
    });

    it('lets a batch under way finish before its lane moves to a new member', async () => {
      const { log, bus } = await setUp();
      const first = await join(bus, 'a');
      // Every lane is busy, so the new member's share cannot be given at once.
      const writer = await bus.writer(TOPIC, 'w', 1000);
      await writer.append([step(10), step(20), step(30)]);
      const leases = await first.consumer.claim();
      const entries = leases.map(({ lane }) =>
        lane === 0
          ? ENTRY
          : { ...ENTRY, lane, epoch: lane, next: 1, firstPosition: lane * 10, lastPosition: lane * 10 },
      );
      for (const [index, lease] of leases.entries())
        await first.consumer.journal(lease, entries[index] as JournalEntry);
      const newcomer = await (await log.open()).consumer({
        topic: TOPIC,
        group: 'decode',
        owner: 'b',
        sessionMs: 10_000,
      });
      expect(await newcomer.claim()).toEqual([]);
      const kept = await first.consumer.claim();
      expect(kept).toHaveLength(2);
      expect(await newcomer.claim()).toEqual([]);
      const lost = leases.filter(({ lane }) => !kept.some((lease) => lease.lane === lane));
      for (const lease of lost) {
        const entry = entries[lease.lane] as JournalEntry;
        await expect(first.consumer.journal(lease, { ...entry, attempt: 2 })).rejects.toBeInstanceOf(
          FencedError,
        );
        await first.consumer.confirm(lease, entry);
      }
      const taken = await newcomer.claim();
      expect(taken.map(({ lane }) => lane)).toEqual(lost.map(({ lane }) => lane));
      expect(taken.every(({ committed }) => committed === 1)).toBe(true);
    });
  });
}
