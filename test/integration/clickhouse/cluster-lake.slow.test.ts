import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { LakeKeeper } from '../../../src/api/lake/lake-keeper.ts';
import type { VersionVector } from '../../../src/api/version-vector.ts';
import { readLakeViews } from '../../../src/cli/compose/lake.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { versionDatabase } from '../../../src/platform/clickhouse/migrations/database-names.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';
import { viewOf } from '../../helpers/version-vector.ts';

const NETWORK = 'test_cluster_lake';
const LAKE = 'ton_test_cluster';
const IDENTITY: LogIdentity = {
  id: 'root:file',
  network: NETWORK,
  epochSize: 20,
  lanes: 2,
  facts: { continuity: 'chain' },
};

let shards: TestShards;
beforeAll(async () => {
  shards = await startTestShards();
}, 300_000);
afterAll(() => shards?.stop());

it('every view for analysts can be created and read on a cluster', async () => {
  const { client } = shards;
  await prepareStore(client, IDENTITY, PROJECTIONS);
  const names = ['base', 'activity', 'contracts', 'detections', 'traces', 'actions', 'lake'] as const;
  const views = names.map((name) => [
    name,
    viewOf(versionDatabase(NETWORK, name, 1), { first: 1, last: 100 }),
  ]);
  const vector = Object.fromEntries(views) as VersionVector;
  const keeper = new LakeKeeper({
    client,
    network: NETWORK,
    lake: LAKE,
    views: readLakeViews(),
    vector: () => vector,
    access: { user: 'default', password: '' },
    confirming: () => ({ partitions: null, isIsolated: false, epochSize: IDENTITY.epochSize }),
  });
  await keeper.refresh();
  const { rows } = await client.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = '${LAKE}' AND engine = 'View' ORDER BY name`,
    { route: 'test' },
  );
  const failed: string[] = [];
  for (const [name] of rows)
    await client
      // A statement that is cancelled on a busy machine may end a server of npm.
      .queryRows(`SELECT * FROM ${LAKE}.${name} LIMIT 1`, { route: 'test', timeoutMs: 300_000 })
      .catch((error: Error) => failed.push(`${name}: ${error.message.slice(0, 600)}`));
  expect(failed).toEqual([]);
  expect(rows.map(([name]) => name)).toEqual(expect.arrayContaining(['jetton_events', 'nft_events']));
});
