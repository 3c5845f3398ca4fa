import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planCodes } from '../../../src/api/entities/accounts/codes.ts';
import { planNewest } from '../../../src/api/entities/accounts/find.ts';
import type { BlockFilter } from '../../../src/api/entities/blocks/filter.ts';
import { planBlocks } from '../../../src/api/entities/blocks/find.ts';
import { planBlockRange } from '../../../src/api/entities/blocks/range.ts';
import type { MessageFilter } from '../../../src/api/entities/messages/filter.ts';
import { messageSource } from '../../../src/api/entities/messages/paths.ts';
import { planMessageKeys } from '../../../src/api/entities/messages/plan-keys.ts';
import type { TransactionFilter } from '../../../src/api/entities/transactions/filter.ts';
import { lookUpByAccount } from '../../../src/api/entities/transactions/look-up.ts';
import { planTransactions } from '../../../src/api/entities/transactions/plan.ts';
import { openScope, READ_SETTINGS } from '../../../src/api/query/scope.ts';
import { identifier, type Sql, sql } from '../../../src/api/query/sql.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { packMessages } from '../../../src/ton/columns/message-pack.ts';
import { packStates } from '../../../src/ton/columns/state-pack.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';
import { testCaller } from '../../helpers/test-caller.ts';

/*
 * Work is proportional to the answer: on a generated chain of 200,000 transactions the real server reports how many
 * granules (1024 rows) each plan selects. A plan without its index reads nearly all of about 200.
 */

const ROWS = 200_000;
const VISIBLE = { first: 1, last: ROWS };
const PAGE = { limit: 100, offset: 0, descending: true };

/** Account number n of the made chain; there are 500, each with every 500th transaction. */
const accountExpression = (n: string) => `SHA256(toString(${n} % 500))`;
const hashExpression = (n: string) => `SHA256(concat('tx', toString(${n})))`;

const NO_STATES = packStates({ before: null, after: null }).toHex();
const NO_MESSAGES = packMessages([]).toHex();

const FILLS = [
  `land_transactions (mc_seqno, workchain, shard, seqno, account, lt, hash, now, state_hash_after)
   SELECT intDiv(number, 20) + 1, 0, 9223372036854775808, intDiv(number, 20) + 1, ${accountExpression('number')},
     1000 + number * 3, ${hashExpression('number')}, 1600000000 + intDiv(number, 20), SHA256(concat('s', toString(number)))`,
  `land_account_states (mc_seqno, workchain, account, lt, hash)
   SELECT intDiv(number, 20) + 1, 0, ${accountExpression('number')}, 1000 + number * 3, SHA256(concat('s', toString(number)))`,
  `land_messages (mc_seqno, listed, hash, created_lt, created_at, source, source_kind, destination, destination_kind, opcode, body_hash, tx_lt)
   SELECT intDiv(number, 20) + 1, true, SHA256(concat('m', toString(number))), 1000 + number * 3, 1600000000 + intDiv(number, 20),
     ${accountExpression('number')}, 'std', ${accountExpression('number + 1')}, 'std', number % 300, SHA256(toString(number % 400)), 1000 + number * 3`,
  `land_blocks (mc_seqno, workchain, shard, seqno, root_hash, gen_utime, start_lt, end_lt, tx_count)
   SELECT intDiv(number, 20) + 1, 0, 9223372036854775808, intDiv(number, 20) + 1, SHA256(concat('b', toString(number))),
     1600000000 + intDiv(number, 20), 1000 + number * 3, 1000 + number * 3 + 59, 20`,
];

describe('granules that plans read', () => {
  let store: IndexedStore;
  let db: string;
  const one = async (expression: string): Promise<string> => {
    const { rows } = await store.client.queryRows<[string]>(`SELECT hex(${expression})`, { route: 'test' });
    return rows[0]?.[0] ?? '';
  };

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], visible: VISIBLE });
    db = store.database;
    for (const fill of FILLS) {
      // Blocks are one in twenty of the numbers, and a batch never crosses many epochs.
      const settings = {
        max_partitions_per_insert_block: 0,
        max_block_size: ROWS,
        min_insert_block_size_rows: ROWS,
      };
      const where = fill.startsWith('land_blocks') ? 'WHERE number % 20 = 0' : '';
      await store.client.command(`INSERT INTO ${db}.${fill} FROM numbers(${ROWS}) ${where}`, {
        route: 'test',
        settings,
      });
    }
  });
  afterAll(() => store.close());

  /** The sum over all tables of a statement of the granules that its indexes leave. */
  async function granules(statement: Sql): Promise<number> {
    const { sql, params } = statement.render(null);
    const text = await store.client.queryText(`EXPLAIN indexes = 1 ${sql} FORMAT TSVRaw`, {
      params,
      route: 'test',
      settings: READ_SETTINGS,
    });
    const reads = text.split('ReadFromMergeTree').slice(1);
    expect(reads.length).toBeGreaterThan(0);
    return reads.reduce((sum, read) => {
      const left = [...read.matchAll(/Granules: (\d+)/g)].at(-1);
      return sum + Number(left?.[1] ?? Number.NaN);
    }, 0);
  }

  const ofTransactions = async (filter: TransactionFilter) => {
    const blocks = planBlockRange(db, filter);
    if (!blocks) return granules(planTransactions(db, filter, PAGE, { visible: VISIBLE }).statement);
    const { rows } = await store.client.queryRows<[string, string]>(blocks.render(null).sql, {
      params: blocks.render(null).params,
      route: 'test',
    });
    const [[startLt, endLt]] = rows as [[string, string]];
    const { statement } = planTransactions(db, filter, PAGE, {
      visible: VISIBLE,
      range: { startLt, endLt },
    });
    return (await granules(blocks)) + (await granules(statement));
  };
  const ofMessages = (filter: MessageFilter) =>
    granules(planMessageKeys(messageSource(db, filter, VISIBLE), filter, PAGE));
  const ofBlocks = (filter: BlockFilter) => granules(planBlocks(db, filter, PAGE, VISIBLE).statement);

  it('one granule for an account without transactions', async () => {
    expect(await ofTransactions({ accounts: [{ workchain: 0, hash: 'AB'.repeat(32) }] })).toBeLessThanOrEqual(
      1,
    );
  });

  it('an account’s own granules for its page, and one by lt', async () => {
    const account = { workchain: 0, hash: await one(accountExpression('7')) };
    // Each has 128 rows.
    expect(await ofTransactions({ accounts: [account] })).toBeLessThanOrEqual(4);
    expect(await ofTransactions({ accounts: [account], endLt: 2000n })).toBeLessThanOrEqual(4);
  });

  it('a granule of the index and one of the rows for a hash', async () => {
    const hash = await one(hashExpression('12345'));
    expect(await ofTransactions({ hashes: [hash] })).toBeLessThanOrEqual(3);
    expect(await ofTransactions({ hashes: ['AB'.repeat(32)] })).toBeLessThanOrEqual(2);
  });

  it('the block’s own granules for a block and for a masterchain step', async () => {
    const block = { workchain: 0, shard: 1n << 63n, seqno: 5000 };
    expect(await ofTransactions(block)).toBeLessThanOrEqual(3);
    expect(await ofTransactions({ mcSeqno: 5000 })).toBeLessThanOrEqual(3);
  });

  it('a few granules for messages by each of their keys', async () => {
    const account = { workchain: 0, hash: await one(accountExpression('7')) };
    for (const filter of [{ source: account }, { destination: account }, { opcode: 7 }]) {
      expect([filter, await ofMessages(filter)]).toEqual([filter, expect.toSatisfy((n: number) => n <= 5)]);
    }
    expect(await ofMessages({ bodyHash: await one("SHA256('7')") })).toBeLessThanOrEqual(5);
    const hash = await one("SHA256(concat('m', '777'))");
    expect(await ofMessages({ hashes: [hash] })).toBeLessThanOrEqual(6);
  });

  it('a granule a block for blocks by id, hash, and masterchain seqno', async () => {
    expect(await ofBlocks({ workchain: 0, shard: 1n << 63n, seqno: 5000 })).toBeLessThanOrEqual(3);
    expect(await ofBlocks({ rootHash: await one("SHA256(concat('b', '1000'))") })).toBeLessThanOrEqual(3);
    expect(await ofBlocks({ mcSeqno: 5000 })).toBeLessThanOrEqual(1);
  });

  it('a granule a key for states', async () => {
    const account = { workchain: 0, hash: await one(accountExpression('7')) };
    expect(await granules(planNewest(db, [account]))).toBeLessThanOrEqual(2);
    expect(await granules(planCodes(db, [account]))).toBeLessThanOrEqual(2);
  });

  it('reads an account with too many rows for one pass in the order of its table, and later without the first try', async () => {
    const account = { workchain: 0, hash: await one("SHA256('busy')") };
    await store.client.command(
      `INSERT INTO ${db}.land_transactions (mc_seqno, account, lt, hash, states, messages)
       SELECT 1, SHA256('busy'), 10 + number, ${hashExpression('number + 1e6')}, unhex('${NO_STATES}'), unhex('${NO_MESSAGES}') FROM numbers(3000)`,
      { route: 'test' },
    );
    const sent: string[] = [];
    const client: StoreClient = {
      ...store.client,
      queryBytes: (sql, options) => {
        sent.push(sql.includes('ORDER BY') ? 'page' : 'pass');
        return store.client.queryBytes(sql, options);
      },
    };
    const context = { ...store.context, client };
    const newest = async () => {
      const scope = openScope(context, { route: 'test', reads: ['base'], caller: testCaller() });
      return lookUpByAccount(scope, account, { ...PAGE, limit: 2 });
    };
    for (const statements of [
      ['pass', 'page'],
      ['pass', 'page', 'page'],
    ]) {
      expect((await newest()).map(({ lt }) => lt)).toEqual(['3009', '3008']);
      expect(sent).toEqual(statements);
    }
  });

  it('all granules where nothing narrows: the measure itself works', async () => {
    const everything = sql`SELECT count() FROM ${identifier(db, 'transactions')} WHERE aborted`;
    expect(await granules(everything)).toBeGreaterThan(40);
  });
});
