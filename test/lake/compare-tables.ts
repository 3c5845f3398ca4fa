import {
  apiAccounts,
  apiActions,
  apiBlocks,
  apiDnsRecords,
  apiJettonEvents,
  apiNftTransfers,
  apiTraces,
} from './api-rows.ts';
import { type Comparison, compareRows, type Verdict } from './compare-rows.ts';
import { type CommittedBlock, coreMessages, coreTransactions } from './core-rows.ts';
import { apiTonHistory, coreJettonHistory, coreMints } from './jetton-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { methodBalances, methodItems, methodMasters } from './method-rows.ts';
import { apiNftEvents } from './nft-event-rows.ts';
import { corePools, corePrices, coreTrades, toDigits } from './trade-rows.ts';

/** How one table is compared. */
interface Check {
  readonly table: string;
  readonly key: readonly string[];
  /** Rows of the lake that are compared; default all. */
  readonly where?: string;
  /** Columns of doubles, which are compared with ten digits. */
  readonly rounded?: readonly string[];
  readonly expected: (server: LakeServer, blocks: readonly CommittedBlock[]) => Promise<readonly Row[]>;
}

const values = (rows: readonly Row[]) => rows.map((row) => String(Object.values(row)[0]));

const CHECKS: readonly Check[] = [
  { table: 'blocks', key: ['workchain', 'shard', 'seqno'], expected: apiBlocks },
  { table: 'transactions', key: ['hash'], expected: async (_, blocks) => blocks.flatMap(coreTransactions) },
  {
    table: 'messages',
    key: ['tx_hash', 'direction', 'msg_hash'],
    expected: async (_, blocks) => blocks.flatMap(coreMessages),
  },
  {
    table: 'account_states',
    key: ['account', 'last_trans_lt'],
    expected: async (_, blocks) => blocks.flatMap(coreStates),
  },
  {
    table: 'accounts',
    key: ['address'],
    expected: async (server) => apiAccounts(server, values(await server.ask('SELECT address FROM accounts'))),
  },
  {
    table: 'latest_balances',
    key: ['address', 'asset'],
    expected: async (server) => {
      const accounts = await apiAccounts(server, values(await server.ask('SELECT address FROM accounts')));
      const sql = "SELECT address FROM accounts WHERE has(interfaces, 'jetton_wallet')";
      const jettons = await methodBalances(server, values(await server.ask(sql)));
      return [
        ...accounts.map(({ address, balance }) => ({ address, asset: 'TON', amount: balance })),
        ...jettons,
      ];
    },
  },
  {
    table: 'jetton_events',
    key: ['tx_hash', 'type'],
    where: 'NOT tx_aborted',
    expected: async (server, blocks) => [
      ...(await apiJettonEvents(server)),
      ...(await coreMints(server, blocks)),
    ],
  },
  {
    table: 'jetton_metadata_latest',
    key: ['address'],
    expected: async (server) =>
      methodMasters(server, values(await server.ask('SELECT address FROM jetton_metadata_latest'))),
  },
  {
    table: 'nft_items_latest_state',
    key: ['address'],
    where: 'is_init',
    expected: async (server) =>
      methodItems(
        server,
        values(await server.ask('SELECT address FROM nft_items_latest_state WHERE is_init')),
      ),
  },
  { table: 'nft_transfers', key: ['tx_hash'], expected: apiNftTransfers },
  {
    table: 'balances_history',
    key: ['address', 'asset', 'lt'],
    expected: async (server, blocks) => [
      ...(await apiTonHistory(server, blocks)),
      ...(await coreJettonHistory(server, blocks)),
    ],
  },
  { table: 'dex_trades', key: ['tx_hash', 'pool_address'], expected: coreTrades },
  { table: 'dex_pools', key: ['pool', 'last_updated', 'reserves_left'], expected: corePools },
  {
    table: 'prices_daily',
    key: ['block_date', 'token_address'],
    where: "asset_type = 'Jetton' AND price_ton IS NOT NULL",
    rounded: ['price_ton'],
    expected: corePrices,
  },
  {
    table: 'nft_events',
    key: ['trace_id', 'type', 'nft_item_address', 'sale_price'],
    expected: apiNftEvents,
  },
  {
    table: 'dns_records',
    key: ['nft_item_address'],
    expected: async (server) =>
      apiDnsRecords(server, values(await server.ask('SELECT domain FROM dns_records'))),
  },
  { table: 'traces', key: ['trace_id'], expected: apiTraces },
  { table: 'actions', key: ['action_id', 'trace_id'], where: 'empty(ancestor_types)', expected: apiActions },
];

/** The newest state that a block gives each account, from its last transaction. */
function coreStates(block: CommittedBlock): readonly Row[] {
  const last = new Map<string, Row>();
  for (const row of coreTransactions(block)) {
    const before = last.get(String(row.account));
    if (!before || BigInt(String(row.lt)) > BigInt(String(before.lt))) last.set(String(row.account), row);
  }
  return [...last.values()].map((row) => ({
    account: row.account,
    hash: row.account_state_hash_after,
    account_status: row.end_status,
    timestamp: row.now,
    last_trans_hash: row.hash,
    last_trans_lt: row.lt,
  }));
}

/** Compares each table of a server with independent facts. `only`: names of tables; empty for all. */
export async function compareTables(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
  only: readonly string[] = [],
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const check of CHECKS.filter(({ table }) => only.length === 0 || only.includes(table))) {
    const expected = await check.expected(server, blocks);
    const { table, key, where = '1', rounded = [] } = check;
    const columns = [...new Set([...key, ...expected.flatMap((row) => Object.keys(row))])].join(', ');
    const rows = await server.ask(`SELECT ${columns} FROM ${table} WHERE ${where}`);
    const found = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(rounded.map((name) => [name, toDigits(row[name])])),
    }));
    const comparison: Comparison = { table, key, found, expected };
    verdicts.push(compareRows(comparison));
  }
  return verdicts;
}
