/** Checks of balances, jettons and NFTs. */
import { coreAborted } from './aborted-rows.ts';
import { apiAccounts, apiJettonEvents, apiNftTransfers } from './api-rows.ts';
import { lastTransactions } from './api-transactions.ts';
import type { Check } from './check.ts';
import type { CommittedBlock } from './core-rows.ts';
import { apiTonHistory, coreJettonHistory, coreMints } from './jetton-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { toTime } from './lake-values.ts';
import { methodBalances } from './method-rows.ts';
import { apiNftEvents } from './nft-event-rows.ts';
import { askList, lastRows } from './state-history.ts';
import { itemRows, jettonMetadataRows, nftMetadataRows } from './token-rows.ts';

/** When an account last changed. */
function lastChange(last: ReadonlyMap<string, Row>, account: unknown): Row {
  const row = last.get(String(account));
  const time = toTime(row?.now);
  return {
    ...{ block_time: time, last_change_timestamp: time, block_date: time?.slice(0, 10) ?? null },
    ...{ lt: row?.lt ?? 0, last_change_lt: row?.lt ?? 0 },
  };
}

async function balanceRows(server: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const accounts = await apiAccounts(server, await askList(server, 'SELECT address FROM accounts'));
  const sql = "SELECT address FROM accounts WHERE has(interfaces, 'jetton_wallet')";
  const jettons = await methodBalances(server, await askList(server, sql));
  const last = lastTransactions(blocks);
  return [
    ...accounts.map(({ address, balance }) => ({
      ...{ address, asset: 'TON', amount: balance },
      ...lastChange(last, address),
    })),
    ...jettons.map(({ wallet, ...row }) => ({ ...row, ...lastChange(last, wallet) })),
  ];
}

const PAYLOADS = ['custom_payload', 'forward_payload'];
const METADATA = { jsons: ['sources', 'jetton_content_onchain'], key: ['address', 'update_time_onchain'] };
const NFT_METADATA = { jsons: ['sources', 'content_onchain'], key: ['address', 'update_time_onchain'] };
const ITEMS = { jsons: ['content_onchain'], key: ['address', 'lt'], time: 'timestamp' };
type Expected = Check['expected'];
const newest =
  (all: Expected): Expected =>
  async (...parts) =>
    lastRows(await all(...parts));

export const TOKEN_CHECKS: readonly Check[] = [
  { table: 'latest_balances', key: ['address', 'asset'], expected: balanceRows },
  {
    table: 'balances_history',
    key: ['address', 'asset', 'lt'],
    time: 'timestamp',
    expected: async (server, blocks) => [
      ...(await apiTonHistory(server, blocks)),
      ...(await coreJettonHistory(server, blocks)),
    ],
  },
  {
    table: 'jetton_events',
    key: ['tx_hash', 'type'],
    time: 'utime',
    bags: PAYLOADS,
    expected: async (server, blocks) => [
      ...(await apiJettonEvents(server)),
      ...(await coreMints(server, blocks)),
      ...(await coreAborted(server, blocks)),
    ],
  },
  { table: 'jetton_metadata', ...METADATA, time: 'update_time_onchain', expected: jettonMetadataRows },
  {
    table: 'jetton_metadata_latest',
    ...METADATA,
    time: 'update_time_onchain',
    expected: newest(jettonMetadataRows),
  },
  {
    table: 'latest_jetton_metadata',
    ...METADATA,
    time: 'update_time_onchain',
    expected: newest(jettonMetadataRows),
  },
  { table: 'nft_items', ...ITEMS, expected: itemRows },
  { table: 'nft_items_latest_state', ...ITEMS, expected: newest(itemRows) },
  { table: 'nft_metadata', ...NFT_METADATA, time: 'update_time_onchain', expected: nftMetadataRows },
  {
    table: 'nft_metadata_latest',
    ...NFT_METADATA,
    time: 'update_time_onchain',
    expected: newest(nftMetadataRows),
  },
  { table: 'nft_transfers', key: ['tx_hash'], time: 'tx_now', bags: PAYLOADS, expected: apiNftTransfers },
  {
    table: 'nft_events',
    key: ['trace_id', 'type', 'nft_item_address', 'sale_price'],
    time: 'timestamp',
    bags: PAYLOADS,
    jsons: ['content_onchain'],
    expected: apiNftEvents,
  },
];
