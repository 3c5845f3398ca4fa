/** States that are given to an index which was made without them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { Step } from '../../src/capture/source.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { prepareIndex } from '../../src/cli/compose/index-run.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { INDEX_SETTINGS } from '../helpers/index-settings.ts';
import { makeLocalBlocks } from '../helpers/local-blocks.ts';
import { DEFAULT_SERVE_SETTINGS } from '../helpers/serve-settings.ts';
import { baseVector } from '../helpers/version-vector.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-late-states-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let chain: readonly Step[];
/** Files of the zerostates: the masterchain's, the basechain's. */
let zerostates: string[];
let server: TestServer;
let client: StoreClient;
beforeAll(async () => {
  chain = await makeLocalBlocks();
  zerostates = statesOf(chain, 'zero');
  server = await startTestServer();
  client = server.client;
});
afterAll(() => server?.stop());

function statesOf(steps: readonly Step[], name: string): string[] {
  return steps[0]!.states.map(({ id, boc }) => {
    const file = join(root, `${name}${id.workchain}.boc`);
    writeFileSync(file, boc);
    return file;
  });
}

let folder: string;
let network: string;
let count = 0;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'set-'));
  network = `test_late_${count++}`;
});

function put(steps: readonly Step[], wanted: (workchain: number) => boolean = () => true): void {
  for (const { blocks } of steps)
    for (const { id, boc } of blocks)
      if (wanted(id.workchain)) writeFileSync(join(folder, `${id.workchain}_${id.seqno}.boc`), boc);
}

/** One run of `index`: its output. */
async function index(data: string, kind: 'files' | 'isolated', state: readonly string[] = []) {
  const shutdown = new Shutdown();
  const said: string[] = [];
  const keep = (facts: object, text: string) => said.push(`${text} ${JSON.stringify(facts)}`);
  const log = { debug() {}, info: keep, warn: keep, error: keep };
  try {
    const session = {
      log,
      shutdown,
      signal: shutdown.signal,
      owner: `test:${process.pid}`,
      metrics: new Metrics(),
    };
    const opened = await openLog(join(folder, data), session);
    const settings = { ...INDEX_SETTINGS, source: `${kind}:${folder}`, network, state };
    const prepared = await prepareIndex({ log: opened, client }, settings, session);
    await prepared.run({ onCapture() {}, onDecode() {} });
    return { said, database: getDatabase(prepared.identity, BASE) };
  } finally {
    await shutdown.close(() => {});
  }
}

const TABLES = {
  account_states: '*',
  account_cells: '*',
  balances_ranked: 'balance, account, workchain, lt, sum(net) AS net',
  accounts_latest: 'account, workchain, max(lt)',
};

/** All rows of the tables that states have a part in. */
async function rowsOf(database: string) {
  const picture: Record<string, readonly unknown[]> = {};
  for (const [table, columns] of Object.entries(TABLES)) {
    const group = { balances_ranked: 'GROUP BY balance, account, workchain, lt HAVING net != 0' };
    const by = table === 'accounts_latest' ? 'GROUP BY account, workchain' : (group[table as never] ?? '');
    const { rows } = await client.queryRows<[string]>(
      `SELECT hex(toString(tuple(*))) AS row FROM (SELECT ${columns} FROM ${database}.${table} ${by}) ORDER BY row`,
      { route: 'test', maxRows: 1_000_000 },
    );
    picture[table] = rows;
  }
  return picture;
}

/** An account with code that no block changed. */
async function untouched(database: string): Promise<string> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT concat(toString(workchain), ':', hex(account)) FROM ${database}.account_states
     GROUP BY workchain, account HAVING count() = 1 AND any(status) = 'active' LIMIT 1`,
    { route: 'test' },
  );
  return rows[0]![0];
}

/** The newest tokens: kind, account, owner, parent, amount. */
async function readTokens(name: string): Promise<readonly string[][]> {
  const { rows } = await client.queryRows<string[]>(
    `SELECT toString(kind), hex(account), hex(owner), hex(parent), toString(amount) FROM
       (SELECT * FROM ${getDatabase({ network: name }, CONTRACTS)}.token_states WHERE NOT is_gone ORDER BY lt DESC LIMIT 1 BY account, workchain, kind)
     ORDER BY ALL`,
    { route: 'test', maxRows: 1_000_000 },
  );
  return rows;
}

/** Steps and partitions of `contracts` whose counts are not those of its token states. */
async function miscounted(name: string): Promise<readonly unknown[]> {
  const database = getDatabase({ network: name }, CONTRACTS);
  const { rows } = await client.queryRows(
    `SELECT mc_seqno, part, sum(stored) AS s, sum(counted) AS c FROM (
       SELECT mc_seqno, part, 1 AS stored, 0 AS counted FROM ${database}.token_states
       UNION ALL SELECT mc_seqno, part, 0, rows['token_states'] FROM ${database}.step_rows
     ) GROUP BY mc_seqno, part HAVING s != c`,
    { route: 'test' },
  );
  return rows;
}

/** The status of an account, as v2 answers it. */
async function stateOf(database: string, address: string): Promise<unknown> {
  const visible = await readVisible(client, database, 'chain');
  const app = await buildServer({
    client,
    vector: () => baseVector(database, visible),
    network: { label: 'test', testnet: false, zerostate: null, isolated: false },
    settings: DEFAULT_SERVE_SETTINGS,
    log: { info() {}, warn() {}, error() {} },
    health: async () => ({ deadLetters: 0 }),
  });
  const { body } = await app.inject(`/api/v2/getAddressState?address=${address}`);
  await app.close();
  return JSON.parse(body);
}

describe('states given to the index of a chain', () => {
  /** An index that began with the states. */
  let fresh: { folder: string; network: string; database: string };
  let rows: Awaited<ReturnType<typeof rowsOf>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(root, 'fresh-'));
    network = 'test_late_fresh';
    put(chain);
    const { database } = await index('data', 'files', zerostates);
    fresh = { folder, network, database };
    rows = await rowsOf(database);
  });

  it('give the rows of an index that began with them, then and for blocks to come', async () => {
    put(chain.slice(0, 4));
    const { database } = await index('data', 'files');
    const address = await untouched(fresh.database);
    expect(await stateOf(database, address)).toMatchObject({ ok: true, result: 'uninitialized' });
    const { said } = await index('data', 'files', zerostates);
    expect(said.filter((line) => line.startsWith('the state is taken in'))).toHaveLength(2);
    expect(await stateOf(database, address)).toMatchObject({ ok: true, result: 'active' });
    put(chain);
    await index('data', 'files');
    expect(await rowsOf(database)).toEqual(rows);
  });

  it('of another chain are refused by name, and nothing is written; its own may come one after the other, and give the tokens that only they have', async () => {
    const other = statesOf(await makeLocalBlocks({ seed: 'other' }), 'other');
    put(chain);
    const { database } = await index('data', 'files');
    const before = { rows: await rowsOf(database), tokens: await readTokens(network) };
    await expect(index('data', 'files', other)).rejects.toThrow(/zerostate/);
    await expect(index('data', 'files', [zerostates[0]!, other[1]!])).rejects.toThrow(
      /other0\.boc cannot be taken in: the next indexed block begins with state [0-9a-f]{64}/,
    );
    await expect(index('data', 'files', zerostates.slice(1))).rejects.toThrow(/masterchain state is missing/);
    expect(await rowsOf(database)).toEqual(before.rows);

    await index('data', 'files', zerostates.slice(0, 1));
    await index('data', 'files', zerostates.slice(1));
    expect(await rowsOf(database)).toEqual(rows);
    const found = await readTokens(network);
    expect(found).toEqual(await readTokens(fresh.network));
    const isItem = ([kind]: readonly string[]) => kind === 'nft_item';
    expect(before.tokens.filter(isItem).length).toBeLessThan(found.filter(isItem).length);
    expect(await miscounted(network)).toEqual([]);
  });

  it('are said to be there already, and change nothing', async () => {
    ({ folder, network } = fresh);
    const { said } = await index('data', 'files', zerostates);
    expect(said.filter((line) => line.startsWith('the index has this state already'))).toHaveLength(2);
    expect(await rowsOf(fresh.database)).toEqual(rows);
  });

  it('that are not directly before it are refused by name', async () => {
    put(chain.slice(3));
    const declared = network;
    network = `${declared}=${zerostateHashes()}`;
    await index('data', 'files');
    await expect(index('data', 'files', zerostates)).rejects.toThrow(
      /zero-1\.boc cannot be taken in: the index begins with masterchain block 3, .* only states of block 2/,
    );
  });
});

function zerostateHashes(): string {
  const { rootHash, fileHash } = chain[0]!.states.find(({ id }) => id.workchain === -1)!.id;
  return `${Buffer.from(rootHash).toString('hex')}:${Buffer.from(fileHash).toString('hex')}`;
}

describe('states given to an index of unrelated blocks', () => {
  it('are taken in one after the other, and said to be there then', async () => {
    put(chain);
    const { database } = await index('data', 'isolated');
    const before = await rowsOf(database);
    for (const zerostate of zerostates) {
      const { said } = await index('data', 'isolated', [zerostate]);
      expect(said.filter((line) => line.startsWith('the state is taken in'))).toHaveLength(1);
    }
    const late = await rowsOf(database);
    expect(late.account_states!.length).toBeGreaterThan(before.account_states!.length);
    const again = await index('data', 'isolated', zerostates);
    expect(again.said.filter((line) => line.startsWith('the index has this state already'))).toHaveLength(2);
    expect(await rowsOf(database)).toEqual(late);
  });
});
