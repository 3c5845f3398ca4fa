import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionFilter } from '../../../src/api/entities/actions/filter.ts';
import { readActions } from '../../../src/api/entities/actions/find.ts';
import { readTraces } from '../../../src/api/entities/traces/find.ts';
import { readTraceTransactions } from '../../../src/api/entities/traces/transactions.ts';
import type { ReadScope } from '../../../src/api/query/scope.ts';
import { versionDatabase } from '../../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { packMessages } from '../../../src/ton/columns/message-pack.ts';
import { packStates } from '../../../src/ton/columns/state-pack.ts';
import { testDatabaseGuard } from '../../helpers/clickhouse-server.ts';
import { CountedReads } from '../../helpers/counted-reads.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';

/*
 * A request that names one trace costs a granule of each look-up table, and none of a table with long granules: over
 * 100,000 generated traces of one transaction and one action each the real server reports how many rows the statements
 * read.
 */

const ROWS = 100_000;
const VISIBLE = { first: 1, last: ROWS };
const NETWORK = 'serve_test';
/** Rows of a granule: of most tables, of messages, and of packed transactions. */
const [LONG, MESSAGES, PACKED] = [1024, 512, 128];
const PAGE = { limit: 10, offset: 0, descending: true };

const transaction = (n: string) => `SHA256(concat('tx', toString(${n})))`;
const message = (n: string) => `SHA256(concat('m', toString(${n})))`;
const hash8 = (hash: string) => `reinterpretAsUInt64(reverse(substring(${hash}, 1, 8)))`;
const STEP = 'intDiv(number, 20) + 1';
const ACCOUNT = 'SHA256(toString(number % 5000))';
const LT = '1000 + number * 3';
const NO_STATES = packStates({ before: null, after: null }).toHex();
const NO_MESSAGES = packMessages([]).toHex();

const BASE = [
  `land_transactions (mc_seqno, shard, seqno, account, lt, hash, now, states, messages)
   SELECT ${STEP}, 9223372036854775808, ${STEP}, ${ACCOUNT}, ${LT}, ${transaction('number')}, 1600000000, unhex('${NO_STATES}'), unhex('${NO_MESSAGES}')`,
  `land_messages (mc_seqno, side, listed, hash, created_lt, tx_account, tx_lt, tx_hash)
   SELECT ${STEP}, 'in', true, ${message('number')}, ${LT} - 1, ${ACCOUNT}, ${LT}, ${transaction('number')}`,
];
const TRACES = [
  `land_traces (mc_seqno, trace_id, trace8, state, start_lt, end_lt, transactions)
   SELECT ${STEP}, ${transaction('number')}, ${hash8(transaction('number'))}, 'complete', ${LT}, ${LT}, 1`,
  `land_trace_transactions (mc_seqno, start_lt, trace8, account, lt)
   SELECT ${STEP}, ${LT}, ${hash8(transaction('number'))}, ${ACCOUNT}, ${LT}`,
];
const ACTIONS = [
  `land_actions (mc_seqno, trace_end_lt, trace8, end_lt, action_id, trace_id, type, tx_hashes)
   SELECT ${STEP}, ${LT}, ${hash8(transaction('number'))}, ${LT}, SHA256(concat('a', toString(number))), ${transaction('number')}, 'ton_transfer', ${transaction('number')}`,
];

describe('the cost of what names one trace', { timeout: 300_000 }, () => {
  let store: IndexedStore;
  let reads: CountedReads;
  let scope: ReadScope<'base' | 'traces' | 'actions'>;
  const names = { transaction: '', message: '', action: '' };

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], visible: VISIBLE });
    const { client, database: base } = store;
    const create = async (projection: string) => {
      const directory = resolve(import.meta.dirname, '../../../clickhouse');
      await migrate(client, { network: NETWORK, projection, version: 1, directory, epochSize: 40 });
      return testDatabaseGuard(versionDatabase(NETWORK, projection, 1));
    };
    const databases = { base, traces: await create('traces'), actions: await create('actions') };
    const settings = {
      max_partitions_per_insert_block: 0,
      max_block_size: ROWS,
      min_insert_block_size_rows: ROWS,
    };
    for (const [name, fills] of Object.entries({ base: BASE, traces: TRACES, actions: ACTIONS }))
      for (const fill of fills) {
        const text = `INSERT INTO ${databases[name as keyof typeof databases]}.${fill} FROM numbers(${ROWS})`;
        await client.command(text, { route: 'test', settings });
      }
    const of = [transaction('54321'), message('54321'), "SHA256(concat('a', '54321'))"].map(
      (hash) => `hex(${hash})`,
    );
    const { rows } = await client.queryRows<[string, string, string]>(`SELECT ${of}`, { route: 'test' });
    [names.transaction, names.message, names.action] = rows[0]!;
    reads = new CountedReads(client);
    const { query, queryBytes } = reads;
    const known = { databases, visible: VISIBLE, added: {}, tables: null, context: store.context };
    scope = { ...known, query, queryBytes } as unknown as typeof scope;
  }, 300_000);
  afterAll(() => store?.close());

  /** Values that are statement parameters count as rows too. */
  const atMost = (rows: number) => expect.toSatisfy((found: number) => found <= rows + 10);
  const traceOf = async () => (await readTraces(scope, { traceIds: [names.transaction] }, PAGE))[0]!;

  it('a trace by its id, a transaction and a message', async () => {
    const found: Record<string, number> = {};
    const table = {
      id: { traceIds: [names.transaction] },
      transaction: { txHashes: [names.transaction] },
      message: { msgHashes: [names.message] },
    };
    for (const [name, filter] of Object.entries(table)) {
      reads.take();
      const traces = await readTraces(scope, filter, PAGE);
      expect(traces.map(({ start_lt }) => start_lt)).toEqual([`${1000 + 54321 * 3}`]);
      found[name] = reads.take();
    }
    expect(found).toEqual({
      id: atMost(2 * LONG),
      transaction: atMost(3 * LONG + PACKED),
      message: atMost(3 * LONG + MESSAGES),
    });
  });

  it('the transactions of a trace', async () => {
    const trace = await traceOf();
    reads.take();
    const transactions = await readTraceTransactions(scope, [trace]);
    expect(transactions.get(trace)?.map(({ lt }) => lt)).toEqual([trace.start_lt]);
    expect(reads.take()).toEqual(atMost(LONG + PACKED));
  });

  it('the actions of a trace, of a transaction and a message in it, and an action by its id', async () => {
    const trace = await traceOf();
    const types = { supported: new Set(['ton_transfer']), wanted: [], excluded: [] };
    const table: Readonly<Record<string, Omit<ActionFilter, 'types'>>> = {
      trace: { traces: [trace] },
      transaction: { traces: [trace], txHashes: [names.transaction] },
      message: { traces: [trace], msgHashes: [names.message] },
      id: { actionIds: [names.action] },
    };
    const found: Record<string, number> = {};
    for (const [name, filter] of Object.entries(table)) {
      reads.take();
      const actions = await readActions(scope, { ...filter, types }, PAGE);
      expect([name, actions.map(({ endLt }) => endLt)]).toEqual([name, [trace.end_lt]]);
      found[name] = reads.take();
    }
    expect(found).toEqual({
      trace: atMost(LONG),
      transaction: atMost(LONG),
      message: atMost(2 * LONG + MESSAGES),
      id: atMost(2 * LONG),
    });
  });
});
