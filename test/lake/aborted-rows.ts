/** Rows of `jetton_events` of aborted transactions, which the API does not list, from messages that @ton/core reads. */
import type { Slice } from '@ton/core';
import { apiTransactions } from './api-transactions.ts';
import { getSource, readBody, readTransactions, toRaw } from './core-messages.ts';
import type { CommittedBlock } from './core-rows.ts';
import { readPayload, readWallets } from './jetton-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';

/** TEP-74 */
const [TRANSFER, BURN] = [0x0f8a7ea5, 0x595f07bc];

/** query_id:uint64 amount:Coins destination response_destination custom_payload:(Maybe ^Cell) forward_ton_amount:Coins payload */
function readTransfer(slice: Slice): Row {
  return {
    type: 'transfer',
    query_id: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    destination: toRaw(slice.loadMaybeAddress()),
    response_destination: toRaw(slice.loadMaybeAddress()),
    custom_payload: slice.loadMaybeRef()?.hash().toString('base64'),
    forward_ton_amount: slice.loadCoins(),
    ...readPayload(slice),
  };
}

/** query_id:uint64 amount:Coins response_destination custom_payload:(Maybe ^Cell) */
function readBurn(slice: Slice): Row {
  return {
    type: 'burn',
    query_id: slice.loadUintBig(64),
    amount: slice.loadCoins(),
    destination: null,
    response_destination: toRaw(slice.loadMaybeAddress()),
    custom_payload: slice.loadMaybeRef()?.hash().toString('base64'),
    ...{ forward_ton_amount: null, forward_payload: null, comment: null },
  };
}

/** Rows of aborted transfers and burns at wallets. */
export async function coreAborted(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const [wallets, known] = [await readWallets(server), await apiTransactions(server)];
  return readTransactions(blocks).flatMap(({ account, hash, transaction, isAborted }) => {
    const [wallet, body] = [wallets.get(account), readBody(transaction.inMessage)];
    const isMove = body?.opcode === TRANSFER || body?.opcode === BURN;
    if (!wallet || !isAborted || !isMove || body.isBounced) return [];
    const row = body.opcode === BURN ? readBurn(body.slice) : readTransfer(body.slice);
    return {
      ...row,
      tx_hash: hash,
      tx_lt: transaction.lt,
      utime: transaction.now,
      trace_id: known.get(hash)?.trace_id,
      tx_aborted: true,
      source: getSource(transaction.inMessage),
      jetton_wallet: account,
      jetton_master: wallet.asset,
    };
  });
}
