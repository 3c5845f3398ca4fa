import { afterAll, beforeAll, expect, it } from 'vitest';
import { transactionRows } from '../../src/api/entities/transactions/model.ts';
import { selectList } from '../../src/api/query/select-list.ts';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import { readIndexFacts } from '../../src/projections/base/verify/index-facts.ts';
import { runVerify } from '../../src/projections/base/verify/verify-stage.ts';
import { BASE_TABLES } from '../../src/tables/base-tables.ts';
import { unpackMessages } from '../../src/ton/columns/message-pack.ts';
import { packStates } from '../../src/ton/columns/state-pack.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { type InProcessIndex, indexInProcess } from '../helpers/index-in-process.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { storeRows, transactionsIn } from '../helpers/store-rows.ts';
import { type Facts, type Rows, sharedBlocks } from './facts-blocks.ts';
import { factsOfRows } from './facts-of-rows.ts';

/** Facts about the collection, not about the block. */
const ABOUT_THE_FILE = ['file_hash', 'file_hash_from', 'boc_is_canonical'];
/** The sets whose blocks follow each other; the others are taken as unrelated blocks. */
const CHAINS = new Set(['mainnet-genesis-0001', 'private-a']);
/** private-a begins in mid-chain: its zerostate is not known, so any will do. */
const PRIVATE_A = `test_private_a=${'a'.repeat(64)}:${'b'.repeat(64)}`;

const NO_HASH = new Uint8Array(32);

interface BlockKey {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}
const keyOf = ({ workchain, shard, seqno }: BlockKey) => `${workchain}:${shard.toString(16)}:${seqno}`;

function networkOf(set: string): { network?: string } {
  if (set === 'mainnet-genesis-0001') return {};
  return { network: set === 'private-a' ? PRIVATE_A : `test_${set.replaceAll('-', '_')}` };
}

describeWithData(
  'all steps at level root: the store has the facts of the shared blocks, and verify is clean',
  (data) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer();
    });
    afterAll(() => server.stop());

    const blocks = sharedBlocks(data);
    const sets = [...new Set(blocks.map(({ name }) => name.split('/')[0] as string))];

    it.each(sets)('%s', async (set) => {
      const index = await indexInProcess(server.client, {
        source: `files:${data}/blocks/${set}`,
        isolated: !CHAINS.has(set),
        verifyLevel: 'root',
        ...networkOf(set),
      });
      const wanted = blocks.filter(({ name }) => name.startsWith(`${set}/`));
      expect(index.summary).toMatchObject({ blocks: wanted.length, dead_letters: 0 });
      const rows = await rowsByBlock(index);
      for (const { name, facts } of wanted) {
        const expected: Facts = { ...facts };
        for (const key of ABOUT_THE_FILE) delete expected[key];
        const { workchain, shard, seqno } = facts as { workchain: number; shard: string; seqno: number };
        const stored = rows.get(keyOf({ workchain, shard: BigInt(`0x${shard}`), seqno }));
        expect(stored && factsOfRows(stored), name).toStrictEqual(expected);
      }
      await expectDetailsAsTyped(index);
      await expectMessagesAsPacked(index, [...rows.values()]);
      expect(await problems(index)).toEqual([]);
    });

    async function rowsByBlock({ database }: InProcessIndex): Promise<Map<string, Rows>> {
      const { client } = server;
      const byBlock = new Map<string, Rows>();
      const stored = await storeRows(client, database, 'blocks', 'mc_seqno');
      const shards = await storeRows(client, database, 'shards', 'mc_seqno, workchain < 0, workchain, shard');
      for (const block of stored) {
        const named = block.workchain === -1 ? shards.filter(({ mc_seqno }) => mc_seqno === block.seqno) : [];
        byBlock.set(keyOf(block), { blocks: [block], shards: named, transactions: [] } as unknown as Rows);
      }
      const found = await storeRows(client, database, 'transactions', 'account, lt');
      for (const row of found) byBlock.get(keyOf(row))?.transactions.push(row);
      return byBlock;
    }

    /** The column `details`, the source of answers, equals the typed columns in both tables. */
    async function expectDetailsAsTyped({ database }: InProcessIndex): Promise<void> {
      const typed = selectList(BASE_TABLES.transactions);
      const options = { route: 'test', maxRows: 100_000 };
      const order = 'ORDER BY account, workchain, lt';
      const { rows } = await server.client.queryRows(
        `SELECT ${typed.sql} FROM ${transactionsIn(database)} ${order}`,
        options,
      );
      for (const table of ['transaction_payloads', 'account_transactions']) {
        const packed = await server.client.queryBytes(
          `SELECT payload FROM ${database}.${table} ${order} FORMAT RowBinary`,
          options,
        );
        const names = typed.columns.filter((name) => !['messages', 'states', 'split_info'].includes(name));
        const states = typed.columns.indexOf('states');
        expect(transactionRows(packed, null).map((row) => packStates(row.states).toBase64())).toEqual(
          rows.map((row) => row[states]),
        );
        const values = (row: object) => names.map((name) => (row as Record<string, unknown>)[name]);
        expect(transactionRows(packed, null).map(values)).toEqual(rows.map((row) => values(typed.row(row))));
      }
    }

    /** The typed rows of `messages` equal the transactions' packed column. */
    async function expectMessagesAsPacked(
      { database }: InProcessIndex,
      rows: readonly Rows[],
    ): Promise<void> {
      const stored = await storeRows(
        server.client,
        database,
        'messages',
        'tx_account, tx_lt, side DESC, created_lt',
      );
      const found = stored.map((row) =>
        [
          row.tx_hash.toHex(),
          row.side,
          row.kind,
          row.hash.toHex(),
          row.hash_norm.toHex(),
          row.body_hash.toHex(),
          row.value,
          row.opcode,
          row.body.toHex(),
          row.init_hash.toHex(),
        ].join(' '),
      );
      const packed = rows
        .flatMap(({ transactions }) => transactions)
        .flatMap((transaction) =>
          unpackMessages(transaction.messages).map((message) =>
            [
              transaction.hash.toHex(),
              message.direction,
              message.kind,
              message.hash.toHex(),
              message.hashNorm.toHex(),
              message.bodyHash.toHex(),
              message.value,
              message.opcode,
              message.body.toHex(),
              (message.initHash ?? NO_HASH).toHex(),
            ].join(' '),
          ),
        );
      expect(found.toSorted()).toEqual(packed.toSorted());
    }

    async function problems({ database, identity }: InProcessIndex): Promise<string[]> {
      const { client } = server;
      const visible = await readVisible(client, database, identity.facts.continuity);
      if (!visible) return ['nothing is visible'];
      const facts = await readIndexFacts(client, database, identity);
      const signal = new AbortController().signal;
      const results = await runVerify({ client, database, visible, facts, onProgress() {}, signal });
      return results
        .filter((result) => result.problems > 0)
        .map(({ name, samples }) => `${name}: ${samples.join('; ')}`);
    }
  },
);
