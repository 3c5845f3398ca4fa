import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { countedTargets } from '../../../src/engine/sink/sink-definition.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';
import { placedPicture } from '../../helpers/replay-servers.ts';
import { indexVersion, NEWER_CODE, openReplayStore, type ReplayStore } from '../../helpers/replay-store.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

const SLOW_MS = 900_000;
const route = 'test/cluster-repair';

describeWithData('`tonhouse verify --repair` on a cluster of two shards', (data) => {
  let shards: TestShards;
  let store: ReplayStore;
  let database: string;
  let whole: Awaited<ReturnType<typeof placedPicture>>;

  beforeAll(async () => {
    shards = await startTestShards();
    const source = `archive:${join(data, 'blocks/packs')}`;
    store = await openReplayStore({ client: shards.client, source, epochSize: 20, code: NEWER_CODE });
    database = await indexVersion(store, 1, NEWER_CODE);
    whole = await placedPicture(shards, database);
  }, SLOW_MS);
  afterAll(async () => {
    await store?.close();
    await shards?.stop();
  });

  const onShard = (shard: 0 | 1, sql: string) =>
    shards.servers[shard]?.command(sql, { route, settings: { lightweight_deletes_sync: 2 } });

  async function verify(...flags: string[]) {
    const cluster = ['--clickhouse-url', shards.url, '--clickhouse-cluster', shards.cluster];
    const run = await runCli(['verify', '--json', '--data', store.directory, ...cluster, ...flags]);
    expect(run.stdout, run.stderr).not.toBe('');
    return { code: run.code, report: JSON.parse(run.stdout) as { problems: number; repair?: { lost: [] } } };
  }

  it(
    'builds again what one shard lost of any table, and puts each row on its shard',
    async () => {
      for (const { table } of countedTargets(BASE.sink))
        await onShard(1, `DELETE FROM ${database}.${table}_local WHERE mc_seqno BETWEEN 30 AND 50`);
      for (const { table } of BASE.sink.derived)
        await onShard(0, `TRUNCATE TABLE ${database}.${table}_local`);
      await onShard(0, `DELETE FROM ${database}.confirmed_local WHERE last BETWEEN 60 AND 70`);
      const before = await verify();
      expect(before.code).toBe(1);
      expect(before.report.problems).toBeGreaterThan(0);
      const { code, report } = await verify('--repair', '--decode-workers', '0');
      expect(report).toMatchObject({ problems: 0, repair: { lost: [] } });
      expect(code).toBe(0);
      expect(await placedPicture(shards, database)).toEqual(whole);
    },
    SLOW_MS,
  );
});
