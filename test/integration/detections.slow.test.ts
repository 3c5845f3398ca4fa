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
const LAST = 60;
const route = { route: 'test' };
const TABLES = [
  'token_outcomes',
  'contract_outcomes',
  'detections',
  'detected_keys',
  'confirmed_tokens',
  'detected_contracts',
  'detected_contract_keys',
];
const account = (byte: number) => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });
const [WALLET, MASTER, OWNER, MULTISIG] = [1, 2, 3, 4].map(account) as [
  ReturnType<typeof account>,
  ReturnType<typeof account>,
  ReturnType<typeof account>,
  ReturnType<typeof account>,
];

/** A state of an account at a step. */
function stateOf(one: ReturnType<typeof account>, position: number) {
  const hash = (byte: number) => new Uint8Array(32).fill(byte);
  return { account: one, position, lt: BigInt(position * 10), codeHash: hash(7), dataHash: hash(position) };
}

function wallet(amount: bigint) {
  const facts = { amount, flag: false, owner: OWNER, parent: MASTER, content: null };
  return { found: { kind: 'jetton_wallet' as const, ...facts, childCode: new Uint8Array(32) } };
}

/** Outcomes by the step of their record. */
const OUTCOMES: ReadonlyMap<number, readonly StateOutcome[]> = new Map([
  [3, [{ state: stateOf(WALLET, 3), kind: 'jetton_wallet', outcome: wallet(5n) }]],
  [
    7,
    [
      { state: stateOf(WALLET, 7), kind: 'jetton_wallet', outcome: { reason: 'not known: a cell' } },
      {
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
      },
    ],
  ],
  // The cell came: a later step has the outcome of the earlier state.
  [50, [{ state: stateOf(WALLET, 7), kind: 'jetton_wallet', outcome: wallet(9n) }]],
]);

/** Records as the detector makes them; the first calls have none, and then only a part of a range. */
function recordsIn(calls: number[]): StoredInput['records'] {
  return async (_store, range, encoding) => {
    calls.push(range.first);
    if (calls.length <= 2) return new Map();
    const part = { first: range.first, last: Math.min(range.last, range.first + 9) };
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
      const calls: number[] = [];
      const follow = async (until: () => Promise<boolean>) => {
        const stop = new AbortController();
        const bell = new FeedBell();
        const feed = { topic: DETECTION_RECORDS, begins: 'first', records: recordsIn(calls) } as const;
        const works = Promise.all([
          followFeed({ ...parts, projection: CONTRACTS }, feed, { sessionMs: 5_000, bell }, stop.signal),
          followServed(parts, REPLAY_SETTINGS, { onBatch() {} }, stop.signal),
        ]);
        await Promise.race([works, expect.poll(until, { timeout: WAIT_MS }).toBe(true)]);
        stop.abort();
        await works;
      };
      const confirmed = async () => {
        const { rows } = await client.queryRows<[number]>(
          `SELECT toInt64(max(last)) FROM ${database}.confirmed HAVING count() > 0`,
          route,
        );
        return Number(rows[0]?.[0] ?? -1);
      };
      // The first run stops in the middle; the second one continues.
      await follow(async () => (await confirmed()) >= 10);
      await follow(async () => (await confirmed()) === LAST);
      expect(await opened.bus.highest(DETECTION_RECORDS)).toBe(LAST);

      const rows = await readTables(database);
      const count = (table: string) => rows[table]!.split('\n').filter(Boolean).length;
      expect(TABLES.map(count)).toEqual([3, 1, 1, 3, 1, 1, 1]);
      // An unknown outcome hides no earlier one; the later record of the same state counts.
      expect(JSON.parse(rows.detections!)).toMatchObject({ mc_seqno: 7, amount: '9', reason: '' });
      expect(JSON.parse(rows.confirmed_tokens!)).toMatchObject({ since: 3, kind: 'jetton_wallet' });

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
