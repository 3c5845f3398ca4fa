import { describe, expect, it } from 'vitest';
import type { Bus, LogRecord, NewStep } from '../../../src/log/port.ts';
import { fuzzSamples } from '../../helpers/fuzz-size.ts';
import {
  EVERYTHING,
  eachTestOwnsALog,
  IDENTITY,
  keys,
  type LogFactory,
  offsets,
  randomStep,
  readLane,
  step,
  TOPIC,
} from './log-fixture.ts';
import { SeededRandom } from './seeded-random.ts';

/** Records that the lane must hold after the steps were appended in this order. */
function expectedLane(steps: readonly NewStep[], lane: number): Omit<LogRecord, 'appendedAt' | 'offset'>[] {
  return steps
    .filter((candidate) => candidate.lane === lane)
    .flatMap(({ records, ...place }) =>
      records.map((record, index) => ({ ...record, ...place, endsStep: index === records.length - 1 })),
    );
}

/** Every offset is above the previous one; numbers that the log itself uses are missing. */
function expectGrowing(offsets: readonly number[]): void {
  expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
}

async function expectLog(bus: Bus, steps: readonly NewStep[]): Promise<void> {
  for (let lane = 0; lane < IDENTITY.lanes; lane++) {
    const found = await readLane(bus, TOPIC, lane);
    expectGrowing(offsets(found));
    expect(found.map(({ appendedAt: _, offset: __, ...record }) => record)).toEqual(
      expectedLane(steps, lane),
    );
  }
}

export function appendContract(factory: LogFactory): void {
  describe('append and read', () => {
    const { bus: newBus, fresh } = eachTestOwnsALog(factory);

    it('gives back what was appended', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      const before = Date.now();
      const large = new Uint8Array(3_000_000).map((_, index) => index % 251);
      const records = [
        { key: 'ключ', headers: { a: '1', b: 'ü' }, value: large.subarray(100, 2_000_100) },
        { key: '', headers: {}, value: new Uint8Array(0) },
        { key: 'buffer', headers: {}, value: Buffer.from('pooled') },
      ];
      await writer.append([{ position: 27, epoch: 2, lane: 2, records }]);
      const found = await bus.read(TOPIC, 2, 0, EVERYTHING);
      expect(found.map(({ key, headers }) => ({ key, headers }))).toEqual(
        records.map(({ key, headers }) => ({ key, headers })),
      );
      for (const [index, { value }] of records.entries())
        expect(Buffer.compare(found[index]?.value ?? new Uint8Array(1), value)).toBe(0);
      expect(found.map(({ endsStep }) => endsStep)).toEqual([false, false, true]);
      for (const { appendedAt, ...place } of found) {
        expect(place).toMatchObject({ position: 27, epoch: 2, lane: 2 });
        expect(appendedAt).toBeGreaterThanOrEqual(before);
        expect(appendedAt).toBeLessThanOrEqual(Date.now());
      }
      expect(large.byteLength).toBe(3_000_000);
    });

    it('gives each record of a lane the next offset, and knows where lanes begin and end', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      await writer.append([step(5, 2), step(15, 3), step(16)]);
      await writer.append([step(17, 2), step(6)]);
      const lanes = [await readLane(bus, TOPIC, 0), await readLane(bus, TOPIC, 1)];
      expect(lanes.map(keys)).toEqual([
        ['5/0', '5/1', '6/0'],
        ['15/0', '15/1', '15/2', '16/0', '17/0', '17/1'],
      ]);
      for (const records of lanes) expectGrowing(offsets(records));
      const next = lanes.map((records) => (records.at(-1)?.offset ?? 0) + 1);
      expect(await bus.bounds(TOPIC)).toEqual([
        { lane: 0, first: 0, next: next[0] },
        { lane: 1, first: 0, next: next[1] },
        { lane: 2, first: 0, next: 0 },
        { lane: 3, first: 0, next: 0 },
      ]);
      expect(await bus.topics()).toEqual([TOPIC]);
    });

    it('returns whole steps beyond a soft limit', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      await writer.append([step(0, 3), step(1, 2), step(2, 4)]);
      const few = await bus.read(TOPIC, 0, 0, { records: 1, bytes: 1_000_000 });
      expect(keys(few)).toEqual(['0/0', '0/1', '0/2']);
      const bytes = await bus.read(TOPIC, 0, 0, { records: 100, bytes: 1 });
      expect(keys(bytes)).toEqual(keys(few));
      const two = await bus.read(TOPIC, 0, 0, { records: 4, bytes: 1_000_000 });
      expect(two).toHaveLength(5);
      expect(keys(await bus.read(TOPIC, 0, 4, { records: 1, bytes: 1 }))).toEqual(['1/1']);
    });

    it('reads records without their values on request', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      await writer.append([step(0, 3), step(1, 2)]);
      const whole = await bus.read(TOPIC, 0, 0, EVERYTHING);
      const bare = await bus.read(TOPIC, 0, 0, { ...EVERYTHING, withoutValues: true });
      expect(bare).toEqual(whole.map((record) => ({ ...record, value: new Uint8Array() })));
    });

    it("stops at an epoch's border, also where two epochs of a lane interleave", async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      // Epochs 4 and 0 share lane 0: the head, and backfilled history.
      await writer.append([step(40), step(0), step(1), step(41)]);
      await writer.append([step(42), step(2)]);
      const runs: string[][] = [];
      for (let from = 0; ; ) {
        const run = await bus.read(TOPIC, 0, from, EVERYTHING);
        const last = run.at(-1);
        if (!last) break;
        runs.push(keys(run));
        from = last.offset + 1;
      }
      expect(runs).toEqual([['40/0'], ['0/0', '1/0'], ['41/0', '42/0'], ['2/0']]);
    });

    it('is empty after the end, in an unused lane and for an unknown topic', async () => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      await writer.append([step(0)]);
      expect(await bus.read(TOPIC, 0, 1, EVERYTHING)).toEqual([]);
      expect(await bus.read(TOPIC, 0, 100, EVERYTHING)).toEqual([]);
      expect(await bus.read(TOPIC, 3, 0, EVERYTHING)).toEqual([]);
      expect(await bus.read('unknown', 0, 0, EVERYTHING)).toEqual([]);
      expect(await bus.bounds('unknown')).toEqual([]);
    });

    it.each([
      ['an epoch that is not of its position', { ...step(5), epoch: 1, lane: 1 }],
      ['a lane that is not of its epoch', { ...step(5), lane: 1 }],
      ['no records', { ...step(5), records: [] }],
      ['a position that is not an integer', { ...step(5), position: 5.5 }],
    ])('refuses a step with %s, and all that come with it', async (_, bad) => {
      const bus = await newBus();
      const writer = await bus.writer(TOPIC, 'a', 1000);
      await expect(writer.append([step(4), bad])).rejects.toThrow('expected');
      expect(await readLane(bus, TOPIC, 0)).toEqual([]);
      await writer.append([step(4)]);
      expect(keys(await readLane(bus, TOPIC, 0))).toEqual(['4/0']);
    });

    it.each([1, 2, 3])('equals a model after random appends and restarts (seed %i)', async (seed) => {
      const random = new SeededRandom(seed);
      const log = await fresh();
      let bus = await log.open();
      await bus.establish(IDENTITY);
      let writer = await bus.writer(TOPIC, 'model', 60_000);
      const appended: NewStep[] = [];
      for (let round = 0; round < fuzzSamples(12); round++) {
        const steps = Array.from({ length: random.between(0, 6) }, () =>
          randomStep(random, random.between(0, 119)),
        );
        await writer.append(steps);
        appended.push(...steps);
        if (random.next() < 0.2) {
          await bus.close();
          bus = await log.open();
          writer = await bus.writer(TOPIC, 'model', 60_000);
        }
      }
      await expectLog(bus, appended);
    });
  });
}
