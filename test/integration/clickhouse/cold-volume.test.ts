import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { moveAgedParts, moveBack, moveOldEpochs } from '../../../src/engine/cold-volume/move-epochs.ts';
import { PartMover } from '../../../src/engine/cold-volume/move-parts.ts';
import { ColdVolumeError, requireColdVolume, setMoves } from '../../../src/engine/cold-volume/set-moves.ts';
import type { ColdTier } from '../../../src/engine/projection/cold-tier.ts';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../../src/platform/clickhouse/embedded/embedded-server.ts';
import { HeldParts } from '../../../src/platform/clickhouse/embedded/held-parts.ts';
import { poll } from '../../../src/platform/retry/poll.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const DATABASE = 'test_cold';
const AGING = [
  { table: 'rows', aging: { column: 'now' } },
  { table: 'absent', aging: { column: 'now' } },
] as const;
const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const signal = new AbortController().signal;

let server: TestServer;
let folder: string;
/** The server as the one that its process owns. */
let owner: StoreClient;
const command = (sql: string) => server.client.command(sql, { route: 'test' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-cold-volume-'));
  server = await startTestServer(join(folder, 'cold'));
  owner = createStoreClient({ ...server.connection, directory: server.directory });
});
afterAll(async () => {
  await owner?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await command(`DROP DATABASE IF EXISTS ${DATABASE} SYNC`);
  await command(`CREATE DATABASE ${DATABASE}`);
  await command(
    // No part is merged.
    `CREATE TABLE ${DATABASE}.rows (mc_seqno UInt32, now UInt32) ENGINE = MergeTree ORDER BY now
     SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1`,
  );
});

const tier = (afterSeconds: number | null): ColdTier => ({
  policy: 'default',
  afterSeconds,
  tables: () => AGING,
});

async function rows(sql: string) {
  return (await server.client.queryRows<[string, string]>(sql, { route: 'test' })).rows;
}
/** Names of parts and their disks. */
const disks = (table = 'rows') =>
  rows(
    `SELECT min_block_number, disk_name FROM system.parts WHERE active AND database = '${DATABASE}' AND table = '${table}' ORDER BY min_block_number`,
  ).then((parts) => parts.map(([, disk]) => disk));
const untilDisks = (wanted: readonly string[]) =>
  poll(async () => JSON.stringify(await disks()) === JSON.stringify(wanted), { everyMs: 50 });
const insert = (...times: readonly number[]) =>
  command(`INSERT INTO ${DATABASE}.rows VALUES ${times.map((time) => `(1, ${time})`).join(', ')}`);
const set = (afterSeconds: number | null) => setMoves(server.client, DATABASE, AGING, tier(afterSeconds));

it('moves parts of which every row is old, also those from before', async () => {
  await insert(NOW - 20 * DAY, NOW - 10 * DAY);
  await insert(NOW - 20 * DAY, NOW);
  expect(await disks()).toEqual(['default', 'default']);
  await set(15 * DAY);
  await set(5 * DAY);
  await untilDisks(['cold', 'default']);
  await insert(NOW - 9 * DAY);
  await untilDisks(['cold', 'default', 'cold']);
  expect(await rows(`SELECT sum(now), count() FROM ${DATABASE}.rows`)).toEqual([
    [String(5 * NOW - 59 * DAY), '5'],
  ]);
});

it('changes only what differs', async () => {
  const state = () =>
    rows(
      `SELECT engine_full, (SELECT count() FROM system.mutations WHERE database = '${DATABASE}') FROM system.tables WHERE database = '${DATABASE}'`,
    );
  await insert(NOW);
  await set(5 * DAY);
  const before = await state();
  expect(before[0]?.[0]).toContain(
    "TTL toDateTime(now) + toIntervalSecond(432000) TO VOLUME IF EXISTS 'cold'",
  );
  await set(5 * DAY);
  expect(await state()).toEqual(before);
  await set(6 * DAY);
  const after = await state();
  expect(after[0]?.[0]).toContain('toIntervalSecond(518400)');
  expect(after[0]?.[0]).not.toContain('432000');
});

it('moves all parts back, and then no part moves', async () => {
  await set(5 * DAY);
  await insert(NOW - 10 * DAY);
  await untilDisks(['cold']);
  await set(null);
  expect(await moveBack(new PartMover(server.client), DATABASE, signal)).toBe(1);
  expect(await disks()).toEqual(['default']);
  expect(await moveBack(new PartMover(server.client), DATABASE, signal)).toBe(0);
  expect(
    (await rows(`SELECT engine_full, '' FROM system.tables WHERE database = '${DATABASE}'`))[0]?.[0],
  ).not.toMatch(/TTL/);
});

it('waits for a part that a mutation uses, and moves what it makes back', async () => {
  const table = `${DATABASE}.busy`;
  await command(`CREATE TABLE ${table} (n UInt32) ENGINE = MergeTree ORDER BY tuple()`);
  await command(`INSERT INTO ${table} VALUES (1), (2)`);
  await command(`ALTER TABLE ${table} MOVE PART 'all_1_1_0' TO VOLUME 'cold'`);
  await command(
    `ALTER TABLE ${table} UPDATE n = n + 1 + sleepEachRow(1) WHERE true SETTINGS mutations_sync = 0`,
  );
  const isBusy = async () =>
    (await rows(`SELECT table, '' FROM system.merges WHERE table = 'busy'`)).length > 0;
  await poll(isBusy, { everyMs: 20 });
  expect(await moveBack(new PartMover(owner), DATABASE, signal)).toBe(1);
  expect(await disks('busy')).toEqual(['default']);
  expect(await rows(`SELECT sum(n), count() FROM ${table}`)).toEqual([['5', '2']]);
});

it('moves parts of an embedded server by statements, and releases the originals', async () => {
  const mover = new PartMover(owner);
  const move = (after: number) =>
    moveAgedParts(mover, { database: DATABASE, tables: ['rows'] }, after, signal);
  await insert(NOW - 20 * DAY, NOW - 10 * DAY);
  await insert(NOW - 20 * DAY, NOW);
  await setMoves(owner, DATABASE, AGING, tier(15 * DAY));
  expect(await move(15 * DAY)).toBe(0);
  await setMoves(owner, DATABASE, AGING, tier(5 * DAY));
  await insert(NOW - 9 * DAY);
  // Parts from before get their times in the background.
  let moved = 0;
  while (moved < 2) moved += await move(5 * DAY);
  expect(await disks()).toEqual(['cold', 'default', 'cold']);
  expect(heldParts('data')).toEqual([]);
  await setMoves(owner, DATABASE, AGING, tier(null));
  expect(await moveBack(mover, DATABASE, signal)).toBe(2);
  expect(await disks()).toEqual(['default', 'default', 'default']);
  expect(heldParts('cold')).toEqual([]);
});

/** Second names of originals on a disk. */
function heldParts(disk: 'data' | 'cold'): readonly string[] {
  const root = disk === 'data' ? join(server.directory, 'data') : join(folder, 'cold');
  return readdirSync(join(root, 'held'));
}

it('a start undoes a move whose copy a power cut has damaged', async () => {
  const directory = mkdtempSync(join(folder, 'store-'));
  const cold = join(folder, 'cut');
  const options = { directory, cold: { folder: cold } };
  const sum = async ({ url, user, password }: EmbeddedServer, ...sql: readonly string[]) => {
    const client = createStoreClient({ url, user, password });
    for (const one of sql) await client.command(one, { route: 'test' });
    const parts = await client.queryRows<[string, string]>(
      `SELECT path, (SELECT sum(n) FROM ${DATABASE}.n) FROM system.parts WHERE active AND database = '${DATABASE}'`,
      { route: 'test' },
    );
    await client.close();
    return parts.rows;
  };
  const first = await startEmbeddedServer(options);
  const before = await sum(
    first,
    `CREATE DATABASE ${DATABASE}`,
    `CREATE TABLE ${DATABASE}.n (n UInt32) ENGINE = MergeTree ORDER BY n`,
    `INSERT INTO ${DATABASE}.n SELECT number FROM numbers(1000)`,
  );
  expect(before).toEqual([[expect.stringContaining(`${directory}/data/`), '499500']]);
  new HeldParts(directory).hold(String(before[0]?.[0]));
  const [moved] = await sum(first, `ALTER TABLE ${DATABASE}.n MOVE PART 'all_1_1_0' TO VOLUME 'cold'`);
  expect(moved?.[0]).toContain(`${cold}/`);
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  for (const name of readdirSync(String(moved?.[0]))) truncateSync(join(String(moved?.[0]), name));
  const second = await startEmbeddedServer(options);
  try {
    expect(await sum(second)).toEqual(before);
  } finally {
    await second.stop();
  }
});

it('moves whole epochs by the times of blocks', async () => {
  await command(
    `CREATE TABLE ${DATABASE}.blocks_by_time (gen_utime UInt32, mc_seqno UInt32) ENGINE = MergeTree ORDER BY gen_utime`,
  );
  await command(
    `INSERT INTO ${DATABASE}.blocks_by_time SELECT ${NOW} - (40 - number) * ${DAY}, number FROM numbers(40)`,
  );
  await command(
    `CREATE TABLE ${DATABASE}.raw (mc_seqno UInt32) ENGINE = MergeTree PARTITION BY intDiv(mc_seqno, 10) ORDER BY mc_seqno`,
  );
  await command(`INSERT INTO ${DATABASE}.raw SELECT number FROM numbers(40)`);
  const tables = { database: DATABASE, tables: ['raw'], epochSize: 10 };
  // Step 25 is the newest older than 14.5 days: epochs 0 and 1 are complete before it.
  const after = 14.5 * DAY;
  expect(await moveOldEpochs(new PartMover(server.client), tables, after, signal)).toBe(2);
  expect(await disks('raw')).toEqual(['cold', 'cold', 'default', 'default']);
  expect(await moveOldEpochs(new PartMover(server.client), tables, after, signal)).toBe(0);
  expect(await rows(`SELECT count(), sum(mc_seqno) FROM ${DATABASE}.raw`)).toEqual([['40', '780']]);
});

it('refuses a policy without the volume', async () => {
  await requireColdVolume(server.client, tier(1));
  await expect(requireColdVolume(server.client, { ...tier(1), policy: 'other' })).rejects.toThrow(
    ColdVolumeError,
  );
});
