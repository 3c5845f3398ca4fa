import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IslandsReader } from '../../../src/engine/versions/confirmed-islands.ts';
import { extendConfirmed, POLL_ROWS, readConfirmed } from '../../../src/engine/watermark/confirmed-range.ts';
import { WatermarkReader } from '../../../src/engine/watermark/watermark-reader.ts';
import { openTestStore, type TestStore } from '../../helpers/test-store.ts';

const route = 'test/watermark';
let store: TestStore;
let databases = 0;
let database: string;

beforeAll(async () => {
  store = await openTestStore('watermark_test');
});
afterAll(() => store?.stop());

async function fresh(...ranges: [number, number][]): Promise<void> {
  database = `watermark_test_${++databases}`;
  await store.client.command(`CREATE DATABASE ${database}`, { route });
  await store.client.command(
    `CREATE TABLE ${database}.confirmed (first UInt32, last UInt32, epoch UInt32, lane UInt16, at DateTime64(3) DEFAULT now64(3))
     ENGINE = ReplacingMergeTree(at) ORDER BY (first, last)`,
    { route },
  );
  await confirm(...ranges);
}

async function confirm(...ranges: [number, number][]): Promise<void> {
  if (ranges.length === 0) return;
  const values = ranges.map(([first, last]) => `(${first}, ${last}, 0, 0)`).join(', ');
  await store.client.command(
    `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES ${values}`,
    { route },
  );
}

const range = (first: number, last: number) => ({ first, last });

describe('readConfirmed', () => {
  it.each<[string, [number, number][], { first: number; last: number } | null]>([
    ['nothing', [], null],
    ['one range', [[5, 9]], range(5, 9)],
    [
      'ranges that touch',
      [
        [10, 19],
        [0, 9],
        [20, 20],
      ],
      range(0, 20),
    ],
    [
      'a gap: the island of the head',
      [
        [0, 9],
        [11, 19],
        [20, 29],
      ],
      range(11, 29),
    ],
    [
      'the same range twice',
      [
        [0, 9],
        [0, 9],
        [10, 19],
      ],
      range(0, 19),
    ],
    [
      'ranges within others',
      [
        [0, 99],
        [10, 19],
        [100, 109],
      ],
      range(0, 109),
    ],
    ['the last possible position', [[4294967290, 4294967295]], range(4294967290, 4294967295)],
  ])('%s', async (_, ranges, expected) => {
    await fresh(...ranges);
    expect(await readConfirmed(store.client, database)).toEqual(expected);
  });
});

describe('extendConfirmed', () => {
  it('grows at both ends up to the next gap, and returns what is above it', async () => {
    await fresh([100, 109], [90, 99], [70, 79], [80, 89], [50, 59], [110, 119], [130, 139]);
    expect(await extendConfirmed(store.client, database, range(100, 109))).toEqual({
      range: range(70, 119),
      highest: 139,
      more: false,
      isAll: false,
    });
  });

  it('reports whether nothing is confirmed outside of the range', async () => {
    const isAll = async (...known: [number, number]) =>
      (await extendConfirmed(store.client, database, range(...known))).isAll;
    await fresh([100, 109], [110, 119]);
    expect(await isAll(100, 109)).toBe(true);
    await confirm([90, 99]);
    expect(await isAll(100, 119)).toBe(true);
    await confirm([121, 129]);
    expect(await isAll(90, 119)).toBe(false);
    await confirm([120, 120]);
    expect(await isAll(90, 119)).toBe(true);
    await confirm([0, 9]);
    expect(await isAll(90, 129)).toBe(false);
    // The confirmed ranges that were known are gone.
    await fresh([0, 9]);
    expect(await isAll(0, 19)).toBe(false);
  });

  it('reports when one poll was not enough', async () => {
    await fresh(...Array.from({ length: POLL_ROWS + 5 }, (_, i): [number, number] => [i, i]));
    const first = await extendConfirmed(store.client, database, range(0, 0));
    expect(first).toMatchObject({ range: range(0, POLL_ROWS), more: true });
    const second = await extendConfirmed(store.client, database, first.range);
    expect(second).toMatchObject({ range: range(0, POLL_ROWS + 4), more: false });
  });
});

describe('IslandsReader', () => {
  /** Its looks, and how many statements read all of `confirmed`. */
  function reading(partitions: number | null = null) {
    let whole = 0;
    const queryRows: TestStore['client']['queryRows'] = (sql, options) => {
      if (options.route === 'versions/islands') whole++;
      return store.client.queryRows(sql, options);
    };
    const reader = new IslandsReader({ ...store.client, queryRows });
    return { look: () => reader.poll(database, partitions), whole: () => whole };
  }

  it('reads everything once, then what was added at the ends of the only island', async () => {
    await fresh();
    const { look, whole } = reading();
    expect(await look()).toEqual([]);
    await confirm([10, 19]);
    expect(await look()).toEqual([range(10, 19)]);
    expect(whole()).toBe(2);
    await confirm(
      [20, 29],
      [0, 9],
      ...Array.from({ length: POLL_ROWS + 5 }, (_, i): [number, number] => [30 + i, 30 + i]),
    );
    expect(await look()).toEqual([range(0, POLL_ROWS + 34)]);
    expect(await look()).toEqual([range(0, POLL_ROWS + 34)]);
    expect(whole()).toBe(2);
  });

  it('reads everything while there are gaps, and if the end is missing', async () => {
    await fresh([10, 19]);
    const { look, whole } = reading();
    await look();
    await confirm([30, 39], [0, 5]);
    expect(await look()).toEqual([range(0, 5), range(10, 19), range(30, 39)]);
    // Between two islands, and at neither end.
    await confirm([20, 21]);
    expect(await look()).toEqual([range(0, 5), range(10, 21), range(30, 39)]);
    await confirm([6, 9], [22, 29]);
    expect(await look()).toEqual([range(0, 39)]);
    expect(whole()).toBe(4);
    expect(await look()).toEqual([range(0, 39)]);
    expect(whole()).toBe(4);
    await store.client.command(
      `ALTER TABLE ${database}.confirmed DELETE WHERE first = 30 SETTINGS mutations_sync = 2`,
      { route },
    );
    expect(await look()).toEqual([range(0, 29)]);
  });

  it('knows what each partition has confirmed', async () => {
    await fresh([0, 19]);
    const { look, whole } = reading(2);
    expect(await look()).toEqual([]);
    const second = (first: number, last: number) =>
      store.client.command(
        `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES (${first}, ${last}, 0, 1)`,
        {
          route,
        },
      );
    await second(0, 9);
    expect(await look()).toEqual([range(0, 9)]);
    const before = whole();
    await second(10, 14);
    expect(await look()).toEqual([range(0, 14)]);
    expect(whole()).toBe(before);
  });
});

describe('WatermarkReader', () => {
  it('follows the head and the backfill, and calls back on changes only', async () => {
    await fresh();
    const reader = new WatermarkReader({ client: store.client, database, pollMs: 10 });
    const seen: unknown[] = [];
    reader.onChange((next) => seen.push(next));
    await reader.start();
    expect(reader.current).toBeNull();
    await confirm([10, 19]);
    await expect.poll(() => reader.current).toEqual(range(10, 19));
    await confirm([20, 29]);
    await expect.poll(() => reader.current).toEqual(range(10, 29));
    await confirm([0, 9]);
    await expect.poll(() => reader.current).toEqual(range(0, 29));
    await reader.stop();
    await confirm([30, 39]);
    expect(seen).toEqual([range(10, 19), range(10, 29), range(0, 29)]);
  });

  it('uses what this process confirmed without a poll, and polls if there is a gap before it', async () => {
    await fresh([0, 9]);
    const reader = new WatermarkReader({ client: store.client, database, pollMs: 3_600_000 });
    await reader.start();
    reader.confirmed(range(10, 19));
    expect(reader.current).toEqual(range(0, 19));
    await confirm([10, 19], [20, 29], [30, 39]);
    reader.confirmed(range(30, 39));
    expect(reader.current).toEqual(range(0, 19));
    await expect.poll(() => reader.current).toEqual(range(0, 39));
    await reader.stop();
  });

  it('keeps what was confirmed while a look was under way', async () => {
    await fresh([0, 9]);
    const reader = new WatermarkReader({ client: store.client, database });
    await reader.poll();
    const look = reader.poll();
    reader.confirmed(range(10, 19));
    await look;
    expect(reader.current).toEqual(range(0, 19));
  });

  it('polls on request: what another process confirmed is visible without waiting for the next poll', async () => {
    await fresh([0, 9]);
    const reader = new WatermarkReader({ client: store.client, database, pollMs: 3_600_000 });
    await reader.start();
    await confirm([10, 19]);
    const asked = async () => {
      await reader.freshen();
      return reader.current;
    };
    await expect.poll(asked).toEqual(range(0, 19));
    await reader.stop();
  });

  it('takes up any number of ranges in one look', async () => {
    await fresh([0, 0]);
    const reader = new WatermarkReader({ client: store.client, database });
    await reader.poll();
    await confirm(...Array.from({ length: 3 * POLL_ROWS }, (_, i): [number, number] => [i + 1, i + 1]));
    await reader.poll();
    expect(reader.current).toEqual(range(0, 3 * POLL_ROWS));
  });

  it('waits at a gap before it jumps to the head above it', async () => {
    await fresh([0, 9]);
    const patient = new WatermarkReader({ client: store.client, database });
    const hasty = new WatermarkReader({ client: store.client, database, gapWaitMs: 0 });
    await Promise.all([patient.poll(), hasty.poll()]);
    await confirm([20, 29]);
    await Promise.all([patient.poll(), hasty.poll()]);
    expect(patient.current).toEqual(range(0, 9));
    expect(hasty.current).toEqual(range(20, 29));
    await confirm([10, 19]);
    await Promise.all([patient.poll(), hasty.poll()]);
    expect(patient.current).toEqual(range(0, 29));
    expect(hasty.current).toEqual(range(0, 29));
  });

  it('reports a failed poll and continues', async () => {
    await fresh([0, 9]);
    const errors: unknown[] = [];
    const reader = new WatermarkReader({
      client: store.client,
      database,
      pollMs: 10,
      onError: (error) => errors.push(error),
    });
    await reader.start();
    await store.client.command(`RENAME TABLE ${database}.confirmed TO ${database}.away`, { route });
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({ code: 60 });
    await store.client.command(`RENAME TABLE ${database}.away TO ${database}.confirmed`, { route });
    await confirm([10, 19]);
    await expect.poll(() => reader.current).toEqual(range(0, 19));
    await reader.stop();
  });
});
