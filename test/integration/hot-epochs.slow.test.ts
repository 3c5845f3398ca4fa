import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { readColdEpochs } from '../../src/engine/cold/cold-epochs.ts';
import { coldRecords } from '../../src/engine/cold/cold-records.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { dropSealedRecords } from '../../src/engine/retention/drop-records.ts';
import { dropOldRecords } from '../../src/engine/retention/seal-log.ts';
import { trimStoredEpochs } from '../../src/engine/retention/trim-log.ts';
import { verifyVersion } from '../../src/engine/verify/verify-version.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  quietRun,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const CHILD = join(import.meta.dirname, 'dropping-child.ts');
const TOPIC = 'raw-blocks';
const EPOCH = 20;
/** Newest epochs whose blocks stay in the store. */
const HOT = 2;
const SLOW_MS = 600_000;
const never = new AbortController().signal;

describeWithChain('raw blocks of old epochs', ({ source, set, data }) => {
  const network = set === 'localnet' ? { states: statesOf(data) } : {};
  let server: TestServer;
  let store: ReplayStore;
  let sealing: Required<OpenLog>['sealing'];
  let before: string[];
  let wanted: Awaited<ReturnType<typeof versionPicture>>;

  const parts = (code = OLDER_CODE) => ({ ...store.parts, projection: code });
  const database = (version = 1) => getDatabase(store.identity, BASE, version);
  const lastEpoch = () => Math.floor(Math.max(...positions()) / EPOCH);
  const positions = () => before.map((line) => Number(line.split(' ')[0]));

  /** Every block as readers get it: from the store or from sealed files. */
  async function readAll(version = 1): Promise<string[]> {
    const { client, codec } = store.parts;
    const encoding = { codec, network: store.identity.network, signal: never, cold: coldRecords(parts()) };
    const range = { first: 0, last: 1_000 };
    const records = await BASE.input.records({ client, database: database(version) }, range, encoding);
    return [...records]
      .sort(([a], [b]) => a - b)
      .flatMap(([position, step]) =>
        step.map(
          ({ key, value }) => `${position} ${key} ${createHash('sha256').update(value).digest('hex')}`,
        ),
      );
  }

  async function storedEpochs(version = 1): Promise<number[]> {
    const { rows } = await server.client.queryRows<[number]>(
      `SELECT DISTINCT toUInt32(intDiv(mc_seqno, ${EPOCH})) AS epoch FROM ${database(version)}.raw_blocks ORDER BY epoch`,
      { route: 'test' },
    );
    return rows.map(([epoch]) => epoch);
  }

  async function problems(): Promise<readonly string[]> {
    const scope = { isFull: true, onProgress() {}, signal: never };
    const { checks } = await verifyVersion({ ...parts(), projection: BASE }, scope);
    return checks.flatMap(({ name, samples }) => samples.map((sample) => `${name}: ${sample}`));
  }

  /** Drops in another process, which is killed after so many steps; 0: it is not. */
  function dropInChild(steps: number): Promise<{ readonly done: string[]; readonly isKilled: boolean }> {
    const args = [CHILD, JSON.stringify(server.connection), store.directory, String(HOT), String(steps)];
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, (error, stdout, stderr) => {
        const isKilled = error?.signal === 'SIGKILL';
        if (error && !isKilled) reject(new Error(stderr));
        resolve({ done: stdout.trim().split('\n').filter(Boolean), isKilled });
      });
    });
  }

  async function forgetNothing(): Promise<void> {
    expect(await readAll()).toEqual(before);
    expect(await problems()).toEqual([]);
  }

  beforeAll(async () => {
    server = await startTestServer();
    const { client } = server;
    store = await openReplayStore({ client, source, epochSize: EPOCH, code: OLDER_CODE, ...network });
    await indexVersion(store, 1, OLDER_CODE);
    const fresh = await indexVersion(store, 90, NEWER_CODE);
    wanted = await versionPicture(server.client, fresh);
    await server.client.command(`DROP DATABASE ${fresh} SYNC`, { route: 'test' });
    ({ sealing } = (await openLog(store.directory, store.session('seal'))) as Required<OpenLog>);
    await passAll('decode-v90');
    before = await readAll();
  }, SLOW_MS);
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  /** Moves a group that nobody continues to the end of the log. */
  async function passAll(group: string): Promise<void> {
    const { bus } = store.parts;
    const consumer = await bus.consumer({ topic: TOPIC, group, owner: 'passed', sessionMs: 5_000 });
    const ends = new Map((await bus.bounds(TOPIC)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim())
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
    await consumer.release();
  }

  it('stay in the store while no sealed file has them', async () => {
    const epochs = await storedEpochs();
    expect(await dropOldRecords(parts(), HOT, never)).toEqual([]);
    expect(await storedEpochs()).toEqual(epochs);
  });

  it(
    'stay in the store if a sealed file differs, lacks one of them, or has one that the store lacks',
    async () => {
      await sealing.seal(TOPIC, never);
      const { client } = server;
      const [row] = (
        await client.queryRows<[number, number, string, number]>(
          `SELECT mc_seqno, workchain, toString(shard), seqno FROM ${database()}.raw_blocks WHERE mc_seqno < ${EPOCH} ORDER BY mc_seqno LIMIT 1`,
          { route: 'test' },
        )
      ).rows;
      const where = `mc_seqno = ${row![0]} AND workchain = ${row![1]} AND shard = ${row![2]} AND seqno = ${row![3]}`;
      const table = `${database()}.raw_blocks`;
      const copy = `${database()}.kept_block`;
      await client.command(
        `CREATE TABLE ${copy} ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM ${table} WHERE ${where}`,
        { route: 'test' },
      );
      const remove = (condition: string) =>
        client.command(`DELETE FROM ${table} WHERE ${condition}`, {
          route: 'test',
          settings: { lightweight_deletes_sync: 2 },
        });
      const insert = (select: string) =>
        client.command(`INSERT INTO ${table} ${select}`, {
          route: 'test',
          settings: { insert_deduplicate: 0 },
        });
      const reasons = async () => {
        const kept: string[] = [];
        for await (const one of dropSealedRecords(parts(), HOT, never)) {
          if (one.step === 'kept') kept.push(one.reason);
          if (one.epoch === 0) expect(one.step).not.toBe('recorded');
          // Only the first epoch is looked at.
          if (one.epoch > 0 || one.step === 'kept') break;
        }
        return kept;
      };
      await remove(where);
      expect(await reasons()).toMatchObject([
        expect.stringContaining('is in a sealed file and not in the store'),
      ]);
      await insert(`SELECT * REPLACE (concat(boc, 'x') AS boc) FROM ${copy}`);
      expect(await reasons()).toMatchObject([expect.stringContaining('has other bytes in a sealed file')]);
      await remove(where);
      await insert(`SELECT * FROM ${copy}`);
      await insert(`SELECT * REPLACE (seqno + 4000000 AS seqno) FROM ${copy}`);
      expect(await reasons()).toMatchObject([expect.stringContaining('is in no sealed file')]);
      await remove('seqno > 4000000');
      await client.command(`DROP TABLE ${copy} SYNC`, { route: 'test' });
      expect(await readColdEpochs(client, store.identity)).toEqual([]);
      await forgetNothing();
    },
    SLOW_MS,
  );

  it(
    'are dropped by processes that are killed after each step, and no block is lost',
    async () => {
      const seen = new Set<string | undefined>();
      for (let steps = 1; ; steps++) {
        const { done, isKilled } = await dropInChild(steps);
        if (!isKilled) break;
        expect(await readAll()).toEqual(before);
        if (!seen.has(done.at(-1))) expect(await problems()).toEqual([]);
        seen.add(done.at(-1));
      }
      expect([...seen].sort()).toEqual(['compared', 'dropped', 'recorded']);
      expect(await storedEpochs()).toEqual([lastEpoch() - 1, lastEpoch()]);
      const cold = await readColdEpochs(server.client, store.identity);
      expect(cold).toEqual(Array.from({ length: lastEpoch() - 1 }, (_, epoch) => epoch));
      await forgetNothing();
    },
    SLOW_MS,
  );

  it('stay in the log, whatever its retention is', async () => {
    const sealed = await sealing.sealed(TOPIC);
    await trimStoredEpochs(parts(), lastEpoch(), never);
    expect(await sealing.sealed(TOPIC)).toEqual(sealed);
  });

  it(
    'are read by a replay, which leaves them where they are',
    async () => {
      const run = quietRun({ ...parts(NEWER_CODE), owner: 'replay' }, store.session('replay'));
      const order = { range: { from: null, to: null }, archive: null, accept: async () => true };
      const { plan } = await runReplay(run, order);
      const { raw_blocks: left, ...tables } = await versionPicture(server.client, database(plan.next));
      const { raw_blocks: all, ...others } = wanted;
      expect(tables).toEqual(others);
      expect(await storedEpochs(plan.next)).toEqual([lastEpoch() - 1, lastEpoch()]);
      expect(left?.length).toBeLessThan(all?.length ?? 0);
      expect(await readAll(plan.next)).toEqual(before);
      expect(await problems()).toEqual([]);
    },
    SLOW_MS,
  );

  it('are named by verify if their sealed file is damaged', async () => {
    const folder = join(store.directory, 'log/sealed');
    const [name = ''] = readdirSync(folder).filter((one) => one.startsWith(`${TOPIC}-0-`));
    const path = join(folder, name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -1));
    // Files that are open stay so for a while.
    const damaged = await openLog(store.directory, store.session('damaged'));
    const scope = { isFull: true, onProgress() {}, signal: never };
    const { checks } = await verifyVersion({ ...parts(), ...damaged, projection: BASE }, scope);
    await damaged.bus.close();
    const found = checks.filter((check) => check.problems > 0);
    expect(found.map((check) => check.name)).toEqual(['cold-blocks']);
    expect(found[0]?.samples[0]).toContain(path);
    writeFileSync(path, whole);
    await forgetNothing();
  });
});

const statesOf = (data: string): readonly string[] => {
  const folder = join(data, 'accounts/states');
  return readdirSync(folder).map((name) => join(folder, name));
};
