import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { readRepairs } from '../../../src/engine/sink/repairs.ts';
import { countedTargets, getSharding } from '../../../src/engine/sink/sink-definition.ts';
import { readConfirmed } from '../../../src/engine/watermark/confirmed-range.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';
import { startTestShards, type TestShards } from '../../helpers/clickhouse-shards.ts';
import { type InProcessIndex, indexInProcess } from '../../helpers/index-in-process.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { DEFAULT_SERVE_SETTINGS } from '../../helpers/serve-settings.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { baseVector } from '../../helpers/version-vector.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const route = 'test/cluster';
const START_MS = 240_000;
/** Contents of the shared genesis packs. */
const GENESIS = { first: 1, last: 99, blocks: 299, transactions: 1_087 };

const COUNTED = countedTargets(BASE.sink).map(({ table }) => table);
const DERIVED = BASE.sink.derived.map(({ table }) => table);
const BY_ACCOUNT = Object.entries(getSharding(BASE.sink))
  .filter(([, key]) => key === 'cityHash64(account)')
  .map(([table]) => table);

/** Rows and a checksum that knows no order, by table; of tables that merge rows, after merging. */
async function checksums(client: StoreClient, db: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of [...COUNTED, ...DERIVED]) {
    const merged = DERIVED.includes(table) ? ' FINAL' : '';
    const { rows } = await client.queryRows(
      `SELECT count(), sum(cityHash64(*)) FROM ${db}.${table}${merged}`,
      { route },
    );
    found[table] = String(rows[0]);
  }
  return found;
}

async function apiOf(client: StoreClient, database: string): Promise<FastifyInstance> {
  const range = await readConfirmed(client, database);
  const fail = (facts: object, text: string) => {
    throw new Error(`${text} ${JSON.stringify(facts)}`);
  };
  return buildServer({
    client,
    vector: () => baseVector(database, range),
    network: { label: 'cluster_test', testnet: false, zerostate: null, isolated: false },
    settings: { ...DEFAULT_SERVE_SETTINGS, queryTimeoutMs: 30_000 },
    log: { info: () => {}, warn: fail, error: fail },
    health: async () => ({ deadLetters: 0 }),
  });
}

/** Requests of every route that reads the store, with keys out of it. */
async function requests(client: StoreClient, db: string): Promise<string[]> {
  const select = async (sql: string) => (await client.queryRows<[string]>(sql, { route })).rows.flat();
  const accounts = await select(
    `SELECT concat(workchain, ':', hex(account)) AS a FROM ${db}.account_transactions GROUP BY a ORDER BY count() DESC, a LIMIT 3`,
  );
  const hashes = await select(`SELECT hex(hash) FROM ${db}.transactions ORDER BY cityHash64(hash) LIMIT 4`);
  const messages = await select(`SELECT hex(hash) FROM ${db}.messages ORDER BY cityHash64(hash) LIMIT 4`);
  const bodies = await select(`SELECT DISTINCT hex(body_hash) AS h FROM ${db}.messages ORDER BY h LIMIT 2`);
  return [
    '/api/v3/masterchainInfo',
    '/api/v3/topAccountsByBalance?limit=10',
    '/api/v3/blocks?limit=40&sort=desc',
    '/api/v3/blocks?workchain=-1&seqno=50',
    '/api/v3/masterchainBlockShards?seqno=60',
    '/api/v3/masterchainBlockShardState?seqno=60',
    '/api/v3/transactionsByMasterchainBlock?seqno=80',
    '/api/v3/transactions?limit=100&sort=desc',
    '/api/v3/transactions?limit=100&offset=500&sort=asc',
    '/api/v3/transactions?workchain=-1&shard=8000000000000000&seqno=70',
    '/api/v3/messages?limit=50&sort=desc',
    `/api/v3/accountStates?${accounts.map((account) => `address=${account}`).join('&')}`,
    `/api/v3/addressBook?${accounts.map((account) => `address=${account}`).join('&')}`,
    ...accounts.flatMap((account) => [
      `/api/v3/transactions?account=${account}&limit=30`,
      `/api/v3/messages?source=${account}&limit=30`,
      `/api/v3/messages?destination=${account}&limit=30`,
      `/api/v2/getAddressInformation?address=${account}`,
      `/api/v2/getTransactions?address=${account}&limit=20`,
    ]),
    ...hashes.flatMap((hash) => [
      `/api/v3/transactions?hash=${hash}`,
      `/api/v3/adjacentTransactions?hash=${hash}`,
    ]),
    ...messages.flatMap((hash) => [
      `/api/v3/messages?msg_hash=${hash}`,
      `/api/v3/transactionsByMessage?msg_hash=${hash}`,
    ]),
    ...bodies.map((hash) => `/api/v3/messages?body_hash=${hash}&limit=20`),
    '/api/v2/getMasterchainInfo',
    '/api/v2/shards?seqno=60',
    '/api/v2/getBlockTransactions?workchain=-1&shard=-9223372036854775808&seqno=70',
    '/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=33',
  ];
}

/** The body without the time that v2 puts into it. */
function answerOf(reply: { json(): object }): object {
  const { '@extra': _extra, ...rest } = reply.json() as Record<string, unknown>;
  return rest;
}

describeWithData('a ClickHouse cluster of two shards', (data) => {
  let single: TestServer;
  let shards: TestShards;
  let alone: InProcessIndex;
  let endSupervision: () => Promise<void>;
  /** Database that the commands create: they are given the cluster by their settings. */
  const database = 'mainnet_base_v1';
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-cluster-'));
  beforeAll(async () => {
    [single, shards] = await Promise.all([startTestServer(), startTestShards()]);
    // A server of npm may end when a peer breaks off a statement: one test fails then, not all that follow.
    endSupervision = shards.supervise(0);
    // Small batches: many of them for each shard.
    const settings = {
      source: `archive:${join(data, 'blocks/packs')}`,
      epochSize: 40,
      batchRows: 500,
      verifyLevel: 'none',
    } as const;
    alone = await indexInProcess(single.client, settings);
    await command('index', settings.source, '--epoch-size', '40', '--batch-rows', '500');
  }, START_MS);
  beforeEach(() => shards.allAnswer(), START_MS);
  afterAll(async () => {
    await endSupervision?.();
    await Promise.all([single?.stop(), shards?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  /** Runs `tonhouse …` on the cluster, to a good end; what it printed as JSON. */
  async function command(...words: string[]): Promise<unknown> {
    const store = ['--clickhouse-url', shards.url, '--clickhouse-cluster', shards.cluster];
    const run = await runCli([...words, '--data', directory, ...store]);
    expect(run.code, run.stderr).toBe(0);
    return JSON.parse(run.stdout);
  }

  it('has the same rows as one server, table by table', async () => {
    const found = await checksums(shards.client, database);
    expect(found).toEqual(await checksums(single.client, alone.database));
    expect(found.blocks).toMatch(new RegExp(`^${GENESIS.blocks},`));
    expect(found.transactions).toMatch(new RegExp(`^${GENESIS.transactions},`));
    expect(await readConfirmed(shards.client, database)).toEqual({
      first: GENESIS.first,
      last: GENESIS.last,
    });
  });

  it('spreads the rows, and keeps an account on one shard', async () => {
    for (const table of COUNTED.filter((name) => name !== 'config_params')) {
      const counts = await Promise.all(
        shards.servers.map(async (server) => {
          const { rows } = await server.queryRows<[string]>(
            `SELECT count() FROM ${database}.${table}_local`,
            { route },
          );
          return Number(rows[0]?.[0]);
        }),
      );
      const all = counts.reduce((a, b) => a + b, 0);
      // Genesis has no external message with a normalised hash: nothing to spread.
      if (all > 0) expect(Math.min(...counts), `${table}: ${counts}`).toBeGreaterThan(0);
    }
    expect(BY_ACCOUNT).toContain('accounts_latest');
    for (const table of BY_ACCOUNT) {
      const { rows } = await shards.client.queryRows(
        `SELECT hex(account) FROM ${database}.${table} GROUP BY account HAVING uniqExact(_shard_num) > 1`,
        { route },
      );
      expect(rows, table).toEqual([]);
    }
  });

  it('asks one shard for an account', async () => {
    const plan = await shards.client.queryText(
      `EXPLAIN SELECT lt FROM ${database}.account_transactions WHERE account = unhex('${'33'.repeat(32)}') FORMAT TSVRaw`,
      { route },
    );
    const both = await shards.client.queryText(
      `EXPLAIN SELECT lt FROM ${database}.account_transactions FORMAT TSVRaw`,
      { route },
    );
    const reads = (text: string) => text.match(/ReadFrom\w+/g) ?? [];
    expect(reads(both)).toHaveLength(2);
    expect(reads(plan)).toHaveLength(1);
  });

  it('answers every route as one server does', async () => {
    const [one, many] = await Promise.all([
      apiOf(single.client, alone.database),
      apiOf(shards.client, database),
    ]);
    try {
      for (const url of await requests(single.client, alone.database)) {
        const [expected, found] = await Promise.all([one.inject({ url }), many.inject({ url })]);
        // A transaction may have no neighbours.
        const status = url.includes('adjacent') ? expected.statusCode : 200;
        expect(expected.statusCode, `${url}: ${expected.body}`).toBe(status);
        expect({ url, status: found.statusCode, body: answerOf(found) }).toEqual({
          url,
          status,
          body: answerOf(expected),
        });
      }
    } finally {
      await Promise.all([one.close(), many.close()]);
    }
  });

  it('is verified without a problem', async () => {
    const report = (await command('verify', '--json')) as {
      problems: number;
      checks: { skipped?: string }[];
    };
    expect(report).toMatchObject({ problems: 0, visible: { first: GENESIS.first, last: GENESIS.last } });
    expect(report.checks.filter(({ skipped }) => !skipped).length).toBeGreaterThan(10);
  });

  it('repairs derived tables from the rows of all shards', async () => {
    const whole = await checksums(shards.client, database);
    for (const table of DERIVED)
      await shards.servers[1]?.command(`TRUNCATE TABLE ${database}.${table}_local`, { route });
    expect(await checksums(shards.client, database)).not.toEqual(whole);
    const params = { db: database, ...GENESIS };
    for (const repair of readRepairs(BASE.sink, PROJECT)) {
      const statements =
        'corrections' in repair
          ? [`INSERT INTO {db:Identifier}.${repair.table} ${repair.corrections}`]
          : repair.statements;
      for (const statement of statements) await shards.client.command(statement, { route, params });
    }
    expect(await checksums(shards.client, database)).toEqual(whole);
  });

  it('reports the size of a table over all shards', async () => {
    const { tables } = (await command('status', '--json')) as { tables: { table: string; rows: number }[] };
    const rows = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));
    expect(rows).toMatchObject({ blocks: GENESIS.blocks, transactions: GENESIS.transactions });
  });

  it('was asked for replicated tables on every server', () => {
    const creates = shards.queue.everywhere.filter((text) => text.includes('MergeTree'));
    expect(creates.length).toBeGreaterThan(20);
    for (const text of creates) expect(text).toMatch(/_local ON CLUSTER 'test_shards'.*ENGINE = Replicated/s);
  });
});
