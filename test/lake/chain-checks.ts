/** Checks of blocks, transactions, messages, accounts and traces. */
import { apiAccounts, apiBlocks, apiTraces } from './api-rows.ts';
import { apiTransactions, lastTransactions, stateRows, transactionRows } from './api-transactions.ts';
import type { Check } from './check.ts';
import { type CommittedBlock, coreMessages } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { toTime } from './lake-values.ts';

async function messageRows(server: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const known = await apiTransactions(server);
  return blocks
    .flatMap(coreMessages)
    .map((row) => ({ ...row, trace_id: known.get(String(row.tx_hash))?.trace_id }));
}

/** The lake names wallets by their code, and tokens. The API also names codes by their get methods, as that of the local highload wallet. */
const isOfLake = (name: string) =>
  (name.startsWith('wallet_') && !name.startsWith('wallet_highload')) ||
  /^(jetton_wallet|jetton_master|nft_item|nft_collection)$/.test(name);

async function accountRows(server: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const found = await server.ask('SELECT address FROM accounts');
  const accounts = await apiAccounts(
    server,
    found.map(({ address }) => String(address)),
  );
  const last = lastTransactions(blocks);
  return accounts.map((row) => {
    const time = toTime(last.get(String(row.address))?.now);
    const interfaces = (row.interfaces as readonly string[]).filter(isOfLake);
    return { ...row, interfaces, last_tx_at: time, block_time: time, block_date: time?.slice(0, 10) ?? null };
  });
}

export const CHAIN_CHECKS: readonly Check[] = [
  { table: 'blocks', key: ['workchain', 'shard', 'seqno'], time: 'gen_utime', expected: apiBlocks },
  { table: 'transactions', key: ['hash'], time: 'now', expected: transactionRows },
  {
    table: 'messages',
    key: ['tx_hash', 'direction', 'msg_hash'],
    time: 'tx_now',
    bags: ['body_boc', 'init_state_boc'],
    expected: messageRows,
  },
  { table: 'account_states', key: ['account', 'last_trans_lt'], time: 'timestamp', expected: stateRows },
  { table: 'accounts', key: ['address'], expected: accountRows },
  { table: 'traces', key: ['trace_id'], time: 'start_utime', expected: apiTraces },
];
