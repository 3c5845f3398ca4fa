/** Rows about jettons, from messages that @ton/core reads and get methods of the wallets. */
import type { Slice } from '@ton/core';
import { apiTransactions } from './api-transactions.ts';
import { type CoreTransaction, getSource, readBody, readTransactions, toRaw } from './core-messages.ts';
import type { CommittedBlock } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { methodBalances } from './method-rows.ts';

/** TEP-74 */
const [TRANSFER, INTERNAL_TRANSFER, BURN, BURN_NOTIFICATION] = [
  0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x7bdd97de,
];

/** Owner, master and balance of each jetton wallet, by address. */
export async function readWallets(server: LakeServer): Promise<ReadonlyMap<string, Row>> {
  const found = await server.ask("SELECT address FROM accounts WHERE has(interfaces, 'jetton_wallet')");
  const wallets = found.map(({ address }) => String(address));
  const balances = await methodBalances(server, wallets);
  return new Map(wallets.map((wallet, at) => [wallet, balances[at]!]));
}

/** Rows of `jetton_events` that are mints: what a wallet received from its master. */
export async function coreMints(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const wallets = await readWallets(server);
  const known = await apiTransactions(server);
  return readTransactions(blocks).flatMap(({ account, hash, transaction, isAborted }) => {
    const wallet = wallets.get(account);
    const body = readBody(transaction.inMessage);
    const master = getSource(transaction.inMessage);
    const isMint = wallet && body?.opcode === INTERNAL_TRANSFER && !body.isBounced;
    if (!isMint || master !== wallet.asset) return [];
    const { slice } = body;
    const [queryId, amount] = [slice.loadUintBig(64), slice.loadCoins()];
    slice.loadMaybeAddress();
    return {
      tx_hash: hash,
      type: 'mint',
      tx_lt: transaction.lt,
      utime: transaction.now,
      tx_aborted: isAborted,
      trace_id: known.get(hash)?.trace_id,
      query_id: queryId,
      amount,
      source: null,
      destination: wallet.address,
      jetton_wallet: account,
      jetton_master: master,
      response_destination: toRaw(slice.loadMaybeAddress()),
      forward_ton_amount: slice.loadCoins(),
      ...{ custom_payload: null, ...readPayload(slice) },
    };
  });
}

/** forward_payload:(Either Cell ^Cell); null if the body ends before it. */
export function readPayload(slice: Slice): Row {
  if (slice.remainingBits === 0) return { forward_payload: null, comment: null };
  const payload = slice.loadBit() ? slice.loadRef() : slice.asCell();
  const body = payload.beginParse();
  const isText = body.remainingBits >= 32 && body.preloadUint(32) === 0;
  if (isText) body.loadUint(32);
  return {
    forward_payload: payload.hash().toString('base64'),
    comment: isText ? body.loadStringTail() : null,
  };
}

/** What a transaction adds to the balance of a wallet. */
function toChange({ transaction, isAborted }: CoreTransaction): bigint {
  const body = readBody(transaction.inMessage);
  if (!body || isAborted || body.slice.remainingBits < 64) return 0n;
  const { opcode, isBounced, slice } = body;
  slice.loadUintBig(64);
  if (isBounced) return opcode === INTERNAL_TRANSFER || opcode === BURN_NOTIFICATION ? slice.loadCoins() : 0n;
  if (opcode === INTERNAL_TRANSFER) return slice.loadCoins();
  return opcode === TRANSFER || opcode === BURN ? -slice.loadCoins() : 0n;
}

/**
 * Rows of `balances_history` of jettons: the present balance of each wallet, less what later transactions have added. A block has one
 * row, of the wallet's last transaction in it.
 */
export async function coreJettonHistory(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const wallets = await readWallets(server);
  const left = new Map([...wallets].map(([wallet, { amount }]) => [wallet, amount as bigint]));
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const one of readTransactions(blocks).toReversed()) {
    const { block, account, transaction } = one;
    const [wallet, amount] = [wallets.get(account), left.get(account)];
    if (!wallet || amount === undefined) continue;
    const { workchain, shard, seqno } = block.header;
    const name = `${account} ${workchain} ${shard} ${seqno}`;
    if (!seen.has(name)) {
      seen.add(name);
      const { address, asset } = wallet;
      rows.push({ address, asset, amount, timestamp: transaction.now, lt: transaction.lt });
    }
    left.set(account, amount - toChange(one));
  }
  return rows;
}

/** Rows of `balances_history` of TON: the balance in the state after each account's last transaction in a block. */
export async function apiTonHistory(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const last = new Map<string, CoreTransaction>();
  for (const one of readTransactions(blocks)) {
    const { workchain, shard, seqno } = one.block.header;
    last.set(`${one.account} ${workchain} ${shard} ${seqno}`, one);
  }
  const rows: Row[] = [];
  for (const { account, hash, transaction } of last.values()) {
    const answer = await server.get(`transactions?hash=${encodeURIComponent(hash)}`);
    const [found] = answer.transactions as readonly { readonly account_state_after: Row }[];
    const { balance } = found!.account_state_after;
    const { now: timestamp, lt } = transaction;
    // A deleted account has no balance.
    rows.push({ address: account, asset: 'TON', amount: balance ?? 0n, timestamp, lt });
  }
  return rows;
}
