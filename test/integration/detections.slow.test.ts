import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { DETECTION_RECORDS } from '../../pipelines/detection-records.ts';
import { DETECTIONS } from '../../pipelines/projections.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { FeedBell, followFeed } from '../../src/engine/feed/follow-feed.ts';
import { followServed } from '../../src/engine/head/follow-served.ts';
import type { StoredInput } from '../../src/engine/projection/stored-input.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import type { StateOutcome } from '../../src/projections/detections/detection.ts';
import { toRecorded } from '../../src/projections/detections/outcome-record.ts';
import { buildRecords } from '../../src/projections/detections/outcome-records.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { quietLog, quietRun, REPLAY_SETTINGS } from '../helpers/replay-store.ts';

const WAIT_MS = 300_000;
/** How long a run may take; less than the test has, so that a failure says which run it was. */
const RUN_MS = 90_000;
const LAST = 60;
const route = { route: 'test' };
const TABLES = [
  'token_outcomes',
  'contract_outcomes',
  'token_states',
  'token_firsts',
  'tokens_by_parent',
  'tokens_by_owner',
  'tokens_latest',
  'tokens_ranked',
  'detected_contracts',
  'detected_contract_keys',
];
const account = (byte: number) => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });
type Account = ReturnType<typeof account>;
const [WALLET, MASTER, OWNER, MULTISIG, ITEM] = [1, 2, 3, 4, 5].map(account) as [
  ...[Account, Account, Account, Account, Account],
];

/** A state of an account at a step. */
function stateOf(one: Account, position: number) {
  const hash = (byte: number) => new Uint8Array(32).fill(byte);
  return { account: one, position, lt: BigInt(position * 10), codeHash: hash(7), dataHash: hash(position) };
}

function foundAs(kind: 'jetton_wallet' | 'nft_item', amount: bigint, owner = OWNER) {
  const facts = { amount, flag: false, owner, parent: MASTER, content: null };
  return { found: { kind, ...facts, childCode: new Uint8Array(32).fill(9) } };
}

/** The outcome of the state of a step. */
function outcomeOf(one: Account, position: number, outcome: StateOutcome['outcome']): StateOutcome {
  return { state: stateOf(one, position), kind: one === ITEM ? 'nft_item' : 'jetton_wallet', outcome };
}

const MULTISIG_FOUND: StateOutcome = {
  state: stateOf(MULTISIG, 5),
  kind: 'multisig',
  outcome: {
    found: {
      kind: 'multisig',
      owner: null,
      parent: null,
      details: { threshold: 2 },
      keys: [{ role: 'signer', account: OWNER }],
    },
  },
};
const ANOTHER_CODE = { reason: 'another code' };

/** Outcomes by the step of their record. */
const OUTCOMES: ReadonlyMap<number, readonly StateOutcome[]> = new Map([
  [3, [outcomeOf(WALLET, 3, foundAs('jetton_wallet', 5n))]],
  // What was no token before has no row of a token.
  [4, [outcomeOf(ITEM, 4, ANOTHER_CODE)]],
  [7, [outcomeOf(WALLET, 7, { reason: 'not known: a cell' }), MULTISIG_FOUND]],
  // The cell came: a later step has the outcome of the earlier state.
  [9, [outcomeOf(WALLET, 7, foundAs('jetton_wallet', 9n))]],
  [12, [outcomeOf(ITEM, 11, foundAs('nft_item', 1n)), outcomeOf(ITEM, 12, ANOTHER_CODE)]],
  [20, [outcomeOf(WALLET, 20, ANOTHER_CODE)]],
  // An older state, and the same one: the newest state remains.
  [25, [outcomeOf(WALLET, 3, foundAs('jetton_wallet', 4n)), outcomeOf(WALLET, 20, ANOTHER_CODE)]],
  [30, [outcomeOf(WALLET, 30, foundAs('jetton_wallet', 8n))]],
  [50, [outcomeOf(WALLET, 45, foundAs('jetton_wallet', 6n, MASTER))]],
]);

/** Rows of `token_states`: account, step, lt, whether it has ended, first step, amount. */
const STATES = [
  '01 3 30 false 3 5',
  '01 9 70 false 3 9',
  '05 12 110 false 12 1',
  '05 12 120 true 12 1',
  '01 20 200 true 3 9',
  '01 30 300 false 30 8',
  '01 50 450 false 30 6',
];

/** Records as the detector makes them up to a step; the first calls have none, and then only a part of a range. */
function recordsIn(progress: { calls: number; upTo: number }): StoredInput['records'] {
  return async (_store, range, encoding) => {
    progress.calls += 1;
    if (progress.calls <= 2 || range.first > progress.upTo) return new Map();
    const part = { first: range.first, last: Math.min(range.last, range.first + 9, progress.upTo) };
    const placed = [...OUTCOMES].flatMap(([position, outcomes]) =>
      position < part.first || position > part.last
        ? []
        : outcomes.map((one) => ({ position, outcome: toRecorded(one) })),
    );
    return buildRecords(placed, part, encoding);
  };
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, WAIT_MS);
afterAll(() => server?.stop());

/** A client that inserts into one table for the last time: no insert after it arrives, as after a kill. */
function cutClient(client: TestServer['client'], last: string) {
  let isCut = false;
  const insertNative: typeof client.insertNative = async (table, ...more) => {
    if (isCut) throw new Error('cut');
    isCut = table === last;
    await client.insertNative(table, ...more);
    if (isCut) throw new Error('cut');
  };
  const get = (target: typeof client, name: keyof typeof client) => {
    if (name === 'insertNative') return insertNative;
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  return { client: new Proxy(client, { get: get as never }), isCut: () => isCut };
}

async function readLines(statement: string): Promise<readonly string[]> {
  const { rows } = await server.client.queryRows<[string]>(statement, route);
  return rows.map(([line]) => line);
}

/** Rows of all tables of a database, merged, as text. */
async function readTables(database: string): Promise<Record<string, string>> {
  const rows: Record<string, string> = {};
  for (const table of TABLES) {
    await server.client.command(`OPTIMIZE TABLE ${database}.${table} FINAL`, route);
    rows[table] = await server.client.queryText(
      `SELECT * FROM ${database}.${table} ORDER BY ALL FORMAT JSONEachRow`,
      route,
    );
  }
  return rows;
}

it(
  'recorded outcomes become rows, each step once, and a replay from the tables gives equal rows',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-detections-'));
    const shutdown = new Shutdown();
    const session = (owner: string) => ({
      ...{ log: quietLog, shutdown, signal: shutdown.signal, owner, metrics: new Metrics() },
    });
    try {
      const opened = await openLog(directory, session('test'));
      const id = `${'1'.repeat(64)}:${'2'.repeat(64)}`;
      const identity = { network: 'detected', id, epochSize: 20, lanes: 2, facts: {} };
      await opened.bus.establish(identity);
      const { client } = server;
      await prepareStore(client, identity, [CONTRACTS, DETECTIONS]);
      for (const lane of [0, 1])
        await client.command(
          `INSERT INTO ${getDatabase(identity, CONTRACTS, 1)}.confirmed (first, last, epoch, lane) VALUES (1, ${LAST}, 0, ${lane})`,
          route,
        );
      const parts: EngineParts = {
        ...{ ...opened, client, identity, owner: 'test', log: quietLog },
        projection: DETECTIONS,
      };
      const database = getDatabase(identity, DETECTIONS, 1);
      const progress = { calls: 0, upTo: 15 };
      const follow = async (until: () => Promise<boolean>, using = client) => {
        const stop = new AbortController();
        const bell = new FeedBell();
        const feed = { topic: DETECTION_RECORDS, begins: 'first', records: recordsIn(progress) } as const;
        const works = Promise.all([
          followFeed({ ...parts, projection: CONTRACTS }, feed, { sessionMs: 5_000, bell }, stop.signal),
          followServed({ ...parts, client: using }, REPLAY_SETTINGS, { onBatch() {} }, stop.signal),
        ]);
        try {
          await Promise.race([works, expect.poll(until, { timeout: RUN_MS }).toBe(true)]);
        } finally {
          stop.abort();
          await works;
        }
      };
      const confirmed = async () => {
        const { rows } = await client.queryRows<[number]>(
          `SELECT toInt64(max(last)) FROM ${database}.confirmed HAVING count() > 0`,
          route,
        );
        return Number(rows[0]?.[0] ?? -1);
      };
      // The first run stops in the middle. The second one is cut between the tables of a batch. The third one continues.
      await follow(async () => (await confirmed()) === progress.upTo);
      progress.upTo = LAST;
      const cut = cutClient(client, `${database}.land_token_states`);
      await follow(async () => cut.isCut(), cut.client).catch(() => {});
      expect(
        await readLines(
          `SELECT toString(max(mc_seqno) > ${await confirmed()}) FROM ${database}.token_states`,
        ),
      ).toEqual(['1']);
      await follow(async () => (await confirmed()) === LAST);
      expect(await opened.bus.highest(DETECTION_RECORDS)).toBe(LAST);

      const rows = await readTables(database);
      const count = (table: string) => rows[table]!.split('\n').filter(Boolean).length;
      expect(TABLES.map(count)).toEqual([11, 1, 7, 3, 3, 4, 2, 1, 1, 1]);
      expect(
        await readLines(
          `SELECT arrayStringConcat([hex(substring(account, 1, 1)), toString(mc_seqno), toString(lt), toString(is_gone), toString(since), toString(amount)], ' ')
           FROM ${database}.token_states ORDER BY lt`,
        ),
      ).toEqual(STATES);
      expect(JSON.parse(rows.tokens_ranked!)).toMatchObject({ amount: '6', kind: 'jetton_wallet', net: '1' });

      const order = { range: { from: null, to: null }, accept: async () => true };
      const run = quietRun({ ...parts, owner: 'replay' }, session('replay'));
      const outcome = await runReplay(run, order);
      expect(outcome.switched).not.toBeNull();
      expect(await readTables(getDatabase(identity, DETECTIONS, 2))).toEqual(rows);
    } finally {
      await shutdown.close(() => {});
      rmSync(directory, { recursive: true, force: true });
    }
  },
  WAIT_MS,
);
