import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { gateLandings } from '../../../src/engine/sink/gate.ts';
import { prepareStore } from '../../../src/engine/versions/prepare-store.ts';
import { readVersionSchema } from '../../../src/engine/versions/version-projection.ts';
import type { LogIdentity } from '../../../src/log/port.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';

const IDENTITY: LogIdentity = {
  id: 'root:file',
  network: 'test_cluster_schema',
  epochSize: 20,
  lanes: 2,
  facts: { continuity: 'chain' },
};

let shards: TestShards;
beforeAll(async () => {
  shards = await startTestShards();
}, 300_000);
afterAll(() => shards?.stop());

it('a version on a cluster consists of the tables that it has on one server', async () => {
  const { client } = shards;
  await prepareStore(client, IDENTITY, [BASE]);
  const schema = await readVersionSchema({ client, identity: IDENTITY, projection: BASE, version: 1 });
  const tables = Object.keys(schema?.tables ?? {});
  expect(tables).toEqual(expect.arrayContaining(['land_blocks', 'blocks', 'accounts_latest', 'confirmed']));
  expect(tables.filter((table) => table.endsWith('_local'))).toEqual([]);
  const landing = { ...BASE.sink, database: 'test_cluster_schema_base_v1', meta: 'test_cluster_schema' };
  expect(await gateLandings(client, landing), 'closed attempts are known to one server').toBe(false);
});
