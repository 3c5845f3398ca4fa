import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { ArchiveSpecError, openBlockArchive } from '../../src/capture/block-archive.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { LostBlocksError } from '../../src/engine/replay/lost-records.ts';
import { runDiff, runReplay } from '../../src/engine/replay/run.ts';
import { applySealing } from '../../src/engine/retention/seal-log.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { OtherBlockError } from '../../src/projections/base/input/restore-blocks.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  quietLog,
  quietRun,
  type ReplayStore,
} from '../helpers/replay-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const TOPIC = 'raw-blocks';
const ALL = { from: null, to: null } as const;
/** Epochs of 20; the last one stays in the log. */
const HEAD_EPOCH = 4;

describeWithData('blocks that the store has no more', (data) => {
  const packs = `archive:${data}/blocks/packs`;
  let server: TestServer;
  let store: ReplayStore;
  let wanted: Awaited<ReturnType<typeof versionPicture>>;

  beforeAll(async () => {
    server = await startTestServer();
    store = await openReplayStore({ client: server.client, source: packs, epochSize: 20, code: OLDER_CODE });
    await indexVersion(store, 1, OLDER_CODE);
    const fresh = await indexVersion(store, 90, NEWER_CODE);
    wanted = await versionPicture(server.client, fresh);
    await server.client.command(`DROP DATABASE ${fresh} SYNC`, { route: 'test' });
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const forget = (version: number) =>
    server.client.command(
      `DELETE FROM ${getDatabase(store.identity, BASE, version)}.raw_blocks WHERE mc_seqno BETWEEN 15 AND 70`,
      { route: 'test', settings: { lightweight_deletes_sync: 2 } },
    );

  async function replay(
    name: string,
    source: string | null,
    range: { from: number | null; to: number | null },
  ) {
    const parts = { ...store.parts, owner: name, projection: NEWER_CODE };
    const archive = source === null ? null : await openBlockArchive(source);
    try {
      const order = { range, archive, accept: async () => true };
      return await runReplay(quietRun(parts, store.session(name)), order);
    } finally {
      await archive?.close();
    }
  }

  it('are read from the log if it has them', async () => {
    await forget(1);
    const { plan } = await replay('log', null, ALL);
    expect(await versionPicture(server.client, getDatabase(store.identity, BASE, plan.next))).toEqual(wanted);
  });

  it('are read from sealed epochs of the log alike', async () => {
    await forget(2);
    for (const version of [1, 2]) await caughtUp(version);
    const { sealing } = (await openLog(store.directory, store.session('seal'))) as Required<OpenLog>;
    const stop = new AbortController();
    const log = { ...quietLog, info: () => stop.abort(), warn: () => stop.abort() };
    const plan = { sealing, hotEpochs: 0 };
    await applySealing({ ...store.parts, log, projection: NEWER_CODE }, plan, [], stop.signal);
    const sealed = await sealing.sealed(TOPIC);
    expect(sealed.map(({ epoch }) => epoch)).toEqual([0, 1, 2, 3]);
    const replayed = await replay('sealed', null, ALL);
    const made = getDatabase(store.identity, BASE, replayed.plan.next);
    expect(await versionPicture(server.client, made)).toEqual(wanted);
  });

  it('are named if they are lost, and neither a replay nor a diff continues without them', async () => {
    await forget(3);
    const { bus } = store.parts;
    // The groups of versions served before hold the log back: they are committed to their end.
    for (const version of [1, 2, 3]) await caughtUp(version);
    await bus.trim(TOPIC, HEAD_EPOCH);
    const lost = await replay('lost', null, ALL).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(LostBlocksError);
    expect(lost).toMatchObject({ first: '(-1,8000000000000000,15)' });
    const parts = { ...store.parts, owner: 'diff', projection: OLDER_CODE };
    const order = { range: ALL };
    const diff = runDiff(quietRun(parts, store.session('diff')), order);
    await expect(diff).rejects.toThrow(LostBlocksError);
  });

  it('must be the same in an archive, to the byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonhouse-other-block-'));
    try {
      const boc = readFileSync(`${data}/blocks/mainnet-genesis-0001/-1_8000000000000000_40.boc`);
      // The same cells, and so the same root hash, in another serialisation.
      const other = (Cell.fromBoc(boc)[0] as Cell).toBoc({ idx: true, crc32: true });
      writeFileSync(join(folder, 'block.boc'), other);
      const found = await replay('other', `files:${folder}`, ALL).catch((error: unknown) => error);
      expect(found).toBeInstanceOf(OtherBlockError);
      expect(found).toMatchObject({ block: '(-1,8000000000000000,40)' });
      expect(String(found)).toContain(join(folder, 'block.boc'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are read from an archive, and are in the store again', async () => {
    const { plan } = await replay('archive', packs, ALL);
    expect(plan.resumes).toBe(true);
    expect(await versionPicture(server.client, getDatabase(store.identity, BASE, plan.next))).toEqual(wanted);
  });

  it('are not needed outside of the part that is decoded again', async () => {
    await forget(4);
    const { plan } = await replay('part', `files:${data}/blocks/mainnet-genesis-0001`, { from: 10, to: 40 });
    const { raw_blocks, ...tables } = await versionPicture(
      server.client,
      getDatabase(store.identity, BASE, plan.next),
    );
    const { raw_blocks: all, ...others } = wanted;
    expect(tables).toEqual(others);
    expect(raw_blocks?.length).toBeGreaterThan(0);
    expect(raw_blocks?.length).toBeLessThan(all?.length ?? 0);
  });

  it('come from an archive or a folder, from nothing else', async () => {
    await expect(openBlockArchive('localnet')).rejects.toThrow(ArchiveSpecError);
    await expect(openBlockArchive('archive:/nowhere/at/all')).rejects.toThrow(ArchiveSpecError);
  });

  async function caughtUp(version: number): Promise<void> {
    const group = version === 1 ? 'decode' : `decode-v${version}`;
    const consumer = await store.parts.bus.consumer({
      topic: TOPIC,
      group,
      owner: 'passed',
      sessionMs: 5_000,
    });
    const ends = new Map((await store.parts.bus.bounds(TOPIC)).map(({ lane, next }) => [lane, next]));
    for (const lease of await consumer.claim())
      await consumer.commit(lease, ends.get(lease.lane) ?? lease.committed);
    await consumer.release();
  }
});
