import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { servedVersion } from '../../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';
import { sampled } from '../../helpers/long-run.ts';
import { placedPicture } from '../../helpers/replay-servers.ts';
import {
  indexVersion,
  NEWER_CODE,
  OLDER_CODE,
  openReplayStore,
  type ReplayStore,
} from '../../helpers/replay-store.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { type StageExit, StageProcess } from '../../simulation/common/stage-process.ts';

const SLOW_MS = 900_000;
const SEED = 24;
const FRESH = 90;
/** Output of a replay when a batch is written (src/cli/commands/replay.ts). */
const WRITTEN = 'replayed blocks:';
const WRITING_MS = 1_500;
const AWAY_MS = 1_000;
/** Who is killed: the replay, or with or without it a shard, which comes back a moment later. TEST_LONG=1: all of them. */
const KILLS = [
  { replay: true, shard: null },
  { replay: false, shard: 1 },
  { replay: true, shard: 0 },
  { replay: false, shard: 0 },
  { replay: true, shard: null },
] as const;
type Kill = (typeof KILLS)[number];

describeWithData('`tonhouse replay` on a cluster of two shards', (data) => {
  const random = new SeededRandom(SEED);
  let shards: TestShards;
  let store: ReplayStore;

  beforeAll(async () => {
    shards = await startTestShards();
    const source = `archive:${join(data, 'blocks/packs')}`;
    store = await openReplayStore({ client: shards.client, source, epochSize: 20, code: OLDER_CODE });
    await indexVersion(store, 1, OLDER_CODE);
  }, SLOW_MS);
  afterAll(async () => {
    await store?.close();
    await shards?.stop();
  });

  const onCluster = () => [
    ...['--data', store.directory],
    ...['--clickhouse-url', shards.url, '--clickhouse-cluster', shards.cluster],
  ];

  /** Runs it until `kill`, or to its end if that comes first. */
  async function replayUntil(kill: Kill | undefined): Promise<StageExit & { words: string }> {
    const small = ['--batch-rows', '10', '--lanes', '2', '--decode-workers', '0', '--session-ms', '1000'];
    const words = ['replay', 'base', '--yes', ...onCluster(), ...small];
    const replay = new StageProcess(words, {}, join(store.directory, 'replay.log'));
    try {
      if (kill) await strike(replay, kill);
      return { ...(await replay.exited), words: replay.words };
    } finally {
      replay.signal('SIGKILL');
    }
  }

  async function strike(replay: StageProcess, kill: Kill): Promise<void> {
    while (!replay.gone && !replay.words.includes(WRITTEN)) await sleep(10);
    await Promise.race([sleep(random.between(0, WRITING_MS)), replay.exited]);
    if (kill.replay) replay.signal('SIGKILL');
    if (kill.shard !== null) await shards.kill(kill.shard);
  }

  it(
    'continues after it, or a shard, was killed in the middle, and equals a fresh index on every shard',
    async () => {
      const endSupervision = shards.supervise(AWAY_MS);
      let killed = 0;
      for (const kill of sampled(KILLS, 3)) {
        const { code, signal, words } = await replayUntil(kill);
        if (signal === 'SIGKILL') killed++;
        // A replay whose shard is away may end in order: the next one goes on.
        else if (kill.shard === null) expect(code, words).toBe(0);
      }
      expect(killed).toBeGreaterThan(0);
      await endSupervision();
      const { code, words } = await replayUntil(undefined);
      expect(code, words).toBe(0);
      const served = await servedVersion(shards.client, store.identity, BASE);
      expect(served).toBeGreaterThan(1);
      const found = await placedPicture(shards, getDatabase(store.identity, BASE, served));
      const fresh = await placedPicture(shards, await indexVersion(store, FRESH, NEWER_CODE));
      for (const [table, rows] of Object.entries(fresh)) expect(found[table], table).toEqual(rows);
      expect(Object.keys(found)).toEqual(Object.keys(fresh));
      expect(fresh.transactions?.length).toBe(1_087);
    },
    SLOW_MS,
  );

  it(
    'reports the disk space, rolls back, and frees unserved versions',
    async () => {
      const plan = await runCli(['replay', 'base', '--dry-run', ...onCluster()]);
      expect(plan.code, plan.stderr).toBe(0);
      expect(plan.stdout).toMatch(/disk +about .*[1-9]/);
      const back = await runCli(['replay', 'rollback', ...onCluster()]);
      expect(back.code, back.stderr).toBe(0);
      const served = await servedVersion(shards.client, store.identity, BASE);
      expect(back.stdout).toBe(`version ${served} is served\n`);
      const pruned = await runCli(['replay', 'prune', ...onCluster()]);
      expect(pruned.code, pruned.stderr).toBe(0);
      for (const server of shards.servers) {
        const { rows } = await server.queryRows(
          `SELECT name FROM system.databases WHERE startsWith(name, '${store.identity.network}_base_v')`,
          { route: 'test' },
        );
        expect(rows).toEqual([[getDatabase(store.identity, BASE, served)]]);
      }
    },
    SLOW_MS,
  );
});
