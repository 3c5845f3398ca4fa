import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Confirming, rangeSelect } from '../../src/api/lake/range-view.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';

const DATABASE = 'lake_range_test';
const EPOCH = 20;

type Range = readonly [first: number, last: number, lane: number];

/** The last step up to which every partition has confirmed all steps. */
function reach(ranges: readonly Range[], known: number, partitions: number | null): number {
  const lanes = partitions === null ? [0] : Array.from({ length: partitions }, (_, lane) => lane);
  const ends = lanes.map((lane) => {
    const own = ranges.filter(([, , of]) => partitions === null || of === lane);
    const isConfirmed = (step: number) => own.some(([first, last]) => first <= step && step <= last);
    let end = known;
    while (isConfirmed(end + 1)) end++;
    return end;
  });
  return Math.min(...ends);
}

describe('the visible range of a version', () => {
  let server: TestServer;
  const run = (sql: string) => server.client.command(sql, { route: 'test' });

  beforeAll(async () => {
    server = await startTestServer();
    await run(`CREATE DATABASE ${DATABASE}`);
    await run(
      `CREATE TABLE ${DATABASE}.confirmed (first UInt32, last UInt32, lane UInt16) ENGINE = MergeTree ORDER BY (first, last)`,
    );
  });
  afterAll(() => server.stop());

  for (const partitions of [null, 1, 3])
    it(`is what all partitions have confirmed: ${partitions ?? 'epochs'}`, async () => {
      const random = new SeededRandom(7);
      const found: (readonly [number, number])[] = [];
      const expected: (readonly [number, number])[] = [];
      for (let round = 0; round < 40; round++) {
        const known = 10 + random.below(30);
        const ranges = Array.from({ length: random.below(12) }, (): Range => {
          const first = Math.max(known - EPOCH, 1) + random.below(40);
          return [first, first + random.below(8), random.below(partitions ?? 1)];
        });
        await run(`TRUNCATE TABLE ${DATABASE}.confirmed`);
        if (ranges.length > 0)
          await run(
            `INSERT INTO ${DATABASE}.confirmed VALUES ${ranges.map((range) => `(${range.join(', ')})`).join(', ')}`,
          );
        const how: Confirming = { partitions, isIsolated: false, epochSize: EPOCH };
        const { rows } = await server.client.queryRows<[number, number]>(
          rangeSelect(DATABASE, { first: 3, last: known }, how),
          { route: 'test' },
        );
        found.push(...rows);
        expected.push([3, reach(ranges, known, partitions)]);
      }
      expect(found).toEqual(expected);
      expect(expected.filter(([, last]) => last > 30).length).toBeGreaterThan(5);
    });
});
