import { describe, expect, it } from 'vitest';
import { FencedError } from '../../../src/log/errors.ts';
import type { Bus, LaneLease, LogConsumer } from '../../../src/log/port.ts';
import {
  EVERYTHING,
  eachTestOwnsALog,
  IDENTITY,
  type LogFactory,
  pause,
  SESSION_MS,
  step,
  TOPIC,
} from './log-fixture.ts';
import { SeededRandom } from './seeded-random.ts';

const join = (bus: Bus, owner: string, group = 'decode', sessionMs = 10_000) =>
  bus.consumer({ topic: TOPIC, group, owner, sessionMs });
const lanes = (leases: readonly LaneLease[]) => leases.map(({ lane }) => lane);

/** Members claim in turn, twice: the first round gives back, the second takes. */
async function settle(members: readonly LogConsumer[]): Promise<number[][]> {
  for (const member of members) await member.claim();
  const shares: number[][] = [];
  for (const member of members) shares.push(lanes(await member.claim()));
  return shares;
}

function expectFair(shares: readonly (readonly number[])[]): void {
  expect(shares.flat().sort()).toEqual(Array.from({ length: IDENTITY.lanes }, (_, lane) => lane));
  const sizes = shares.map((share) => share.length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
}

export function groupContract(factory: LogFactory): void {
  describe('group', () => {
    const { bus: newBus, fresh } = eachTestOwnsALog(factory);

    it('gives a lone member all lanes, from the start', async () => {
      const member = await join(await newBus(), 'a');
      expect(await member.claim()).toEqual(
        [0, 1, 2, 3].map((lane) => expect.objectContaining({ lane, committed: 0, owner: 'a' })),
      );
      expect(await member.claim()).toHaveLength(4);
    });

    it('shares the lanes among one, two and three members and back', async () => {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      const members: LogConsumer[] = [];
      for (const owner of ['a', 'b', 'c']) {
        members.push(await join(await log.open(), owner));
        expectFair(await settle(members));
      }
      while (members.length > 1) {
        await members.shift()?.release();
        expectFair(await settle(members));
      }
    });

    it('moves no lane without need', async () => {
      const bus = await newBus();
      const members = [await join(bus, 'x'), await join(bus, 'a'), await join(bus, 'm')];
      const before = await settle(members);
      for (let round = 0; round < 3; round++) expect(await settle(members)).toEqual(before);
    });

    it('leaves a larger share where it is when a member is replaced', async () => {
      const bus = await newBus();
      const members = [await join(bus, 'x'), await join(bus, 'y'), await join(bus, 'z')];
      const [larger] = await settle(members);
      expect(larger).toHaveLength(2);
      const before = await members[0]?.claim();
      await members.pop()?.release();
      const shares = await settle([await join(bus, 'a'), ...members]);
      expect(shares.map((share) => share.length)).toEqual([1, 2, 1]);
      expect(await members[0]?.claim()).toEqual(before);
    });

    it.each([11, 12, 13])('is fair after members came and went at random (seed %i)', async (seed) => {
      const random = new SeededRandom(seed);
      const bus = await newBus();
      let members: LogConsumer[] = [];
      for (let round = 0; round < 12; round++) {
        if (members.length < 5 && random.next() < 0.6)
          members.push(await join(bus, `m${random.between(0, 1e6)}`));
        else if (members.length > 1) {
          const leaver = random.pick(members);
          members = members.filter((member) => member !== leaver);
          await leaver.release();
        }
        for (const member of members) if (random.next() < 0.5) await member.claim();
        if (members.length > 0) expectFair(await settle(members));
      }
    });

    it('takes the lanes of a silent member, which finds itself fenced', async () => {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      await (await bus.writer(TOPIC, 'w', 1000)).append([step(0), step(10)]);
      const silent = await join(bus, 'silent', 'decode', SESSION_MS);
      const other = await join(await log.open(), 'other');
      const [lease] = await silent.claim();
      expect(await other.claim()).toEqual([]);
      await pause(SESSION_MS + 50);
      const taken = await other.claim();
      expect(lanes(taken)).toEqual([0, 1, 2, 3]);
      if (!lease) throw new Error('no lease');
      expect(taken[0]?.generation).toBeGreaterThan(lease.generation);
      const entry = {
        lane: 0,
        epoch: 0,
        from: 0,
        next: 1,
        firstPosition: 0,
        lastPosition: 0,
        attempt: 1,
        expected: {},
      };
      await expect(silent.journal(lease, entry)).rejects.toBeInstanceOf(FencedError);
      await expect(silent.confirm(lease, entry)).rejects.toBeInstanceOf(FencedError);
      await expect(silent.commit(lease, 1)).rejects.toBeInstanceOf(FencedError);
      await expect(silent.pending(lease)).rejects.toBeInstanceOf(FencedError);
      expect(await silent.claim()).toEqual([]);
    });

    it('knows how long a lease is valid without a request to the log', async () => {
      const bus = await newBus();
      const member = await join(bus, 'a', 'decode', SESSION_MS);
      const [lease] = await member.claim();
      if (!lease) throw new Error('no lease');
      expect(member.left(lease)).toBeGreaterThan(0);
      expect(member.left(lease)).toBeLessThanOrEqual(SESSION_MS);
      expect(member.left({ ...lease, generation: lease.generation - 1 })).toBe(0);
      await pause(SESSION_MS + 20);
      expect(member.left(lease)).toBe(0);
      await member.claim();
      expect(member.left(lease)).toBeGreaterThan(0);
      await member.release();
      expect(member.left(lease)).toBe(0);
    });

    it('keeps its offsets across restarts, apart from other groups', async () => {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      await (await bus.writer(TOPIC, 'w', 1000)).append([step(0, 3), step(1, 2)]);
      const member = await join(bus, 'a');
      const [lease] = await member.claim();
      if (!lease) throw new Error('no lease');
      await member.commit(lease, 3);
      await member.release();
      await bus.close();
      const again = await log.open();
      const [resumed] = await (await join(again, 'b')).claim();
      expect(resumed).toMatchObject({ lane: 0, committed: 3 });
      const [other] = await (await join(again, 'b', 'traces')).claim();
      expect(other).toMatchObject({ lane: 0, committed: 0 });
    });

    it('commits forwards only and not beyond the end', async () => {
      const bus = await newBus();
      await (await bus.writer(TOPIC, 'w', 1000)).append([step(0, 3)]);
      const member = await join(bus, 'a');
      const [lease] = await member.claim();
      if (!lease) throw new Error('no lease');
      await member.commit(lease, 2);
      await expect(member.commit(lease, 1)).rejects.toThrow('expected');
      await expect(member.commit(lease, 4)).rejects.toThrow('expected');
      await member.commit(lease, 3);
    });

    it('reports its lag', async () => {
      const bus = await newBus();
      await (await bus.writer(TOPIC, 'w', 1000)).append([step(0, 3), step(10)]);
      expect(await bus.lag()).toEqual([]);
      const member = await join(bus, 'a', 'decode', SESSION_MS);
      const [lease] = await member.claim();
      if (!lease) throw new Error('no lease');
      await member.commit(lease, 2);
      const place = { topic: TOPIC, group: 'decode', owner: 'a' };
      expect((await bus.lag()).slice(0, 3)).toEqual([
        { ...place, lane: 0, committed: 2, end: 3 },
        { ...place, lane: 1, committed: 0, end: 1 },
        { ...place, lane: 2, committed: 0, end: 0 },
      ]);
      await pause(SESSION_MS + 50);
      expect((await bus.lag())[0]?.owner).toBeNull();
    });
  });

  describe('waiting for data', () => {
    const { fresh } = eachTestOwnsALog(factory);

    async function setUp() {
      const log = await fresh();
      const bus = await log.open();
      await bus.establish(IDENTITY);
      const member = await join(bus, 'a');
      await member.claim();
      return { bus, member, other: await log.open() };
    }

    it.each(['the same', 'another'])('ends with an append by %s connection', async (which) => {
      const { bus, member, other } = await setUp();
      const writer = await (which === 'another' ? other : bus).writer(TOPIC, 'w', 5000);
      const waiting = member.waitForData(120_000);
      await pause(60);
      await writer.append([step(0)]);
      const before = Date.now();
      await waiting;
      expect(Date.now() - before).toBeLessThan(60_000);
      expect(await member.read(0, 0, EVERYTHING)).toHaveLength(1);
    });

    it('does not miss what came between an empty read and the wait', async () => {
      const { bus, member } = await setUp();
      const writer = await bus.writer(TOPIC, 'w', 5000);
      expect(await member.read(1, 0, EVERYTHING)).toEqual([]);
      await writer.append([step(10)]);
      const before = Date.now();
      await member.waitForData(120_000);
      expect(Date.now() - before).toBeLessThan(60_000);
    });

    it('ends after the time given where nothing comes', async () => {
      const { member } = await setUp();
      const before = Date.now();
      await member.waitForData(120);
      expect(Date.now() - before).toBeGreaterThanOrEqual(115);
    });
  });
}
