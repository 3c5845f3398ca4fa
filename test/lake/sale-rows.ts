/** Rows of sales, auctions and orders of multisigs, from their get methods. */
import { Cell, Dictionary } from '@ton/core';
import { lastTransactions } from './api-transactions.ts';
import type { CommittedBlock } from './core-rows.ts';
import type { Entry, LakeServer, Row } from './lake-server.ts';
import { toRootHash } from './lake-values.ts';
import { toAddress, toNumber, toSeconds } from './method-rows.ts';
import { askList, methodHistory, type StateAt, stateTimes } from './state-history.ts';

const isTrue = (entry: Entry) => toNumber(entry) !== 0n;

/** `get_fix_price_data_v4` of Getgems. Its fees are shares. */
export function toSale(stack: readonly Entry[], { address, now, lt }: StateAt): Row {
  const [isComplete, created, marketplace, item, owner, price, feeTo, fee, royaltyTo, royalty] = stack;
  return {
    ...{ address, type: 'sale', timestamp: now, lt, asset: 'TON' },
    nft_address: toAddress(item!),
    nft_owner_address: toAddress(owner!),
    created_at: toSeconds(created!),
    is_complete: isTrue(isComplete!),
    is_canceled: null,
    end_time: null,
    marketplace_address: toAddress(marketplace!),
    marketplace_fee_address: toAddress(feeTo!),
    marketplace_fee: toNumber(fee!),
    price: toNumber(price!),
    royalty_address: toAddress(royaltyTo!),
    royalty_amount: toNumber(royalty!),
    ...{ max_bid: null, min_bid: null, min_step: null, last_bid_at: null, last_member: null },
  };
}

/** `get_auction_data_v4` of Getgems. The method returns the next lowest bid. */
export function toAuction(stack: readonly Entry[], { address, now, lt }: StateAt): Row {
  const [, isEnded, end, marketplace, item, owner, bid, member, step, feeTo, ...more] = stack;
  const [, , royaltyTo, , , maxBid, nextBid, created, lastBidAt, isCanceled] = more;
  const lastMember = toAddress(member!);
  return {
    ...{ address, type: 'auction', timestamp: now, lt, asset: 'TON' },
    nft_address: toAddress(item!),
    nft_owner_address: toAddress(owner!),
    created_at: toSeconds(created!),
    is_complete: isTrue(isEnded!),
    is_canceled: isTrue(isCanceled!),
    end_time: toSeconds(end!),
    marketplace_address: toAddress(marketplace!),
    marketplace_fee_address: toAddress(feeTo!),
    marketplace_fee: null,
    price: toNumber(bid!),
    royalty_address: toAddress(royaltyTo!),
    royalty_amount: null,
    max_bid: toNumber(maxBid!),
    min_bid: lastMember === null ? toNumber(nextBid!) : null,
    min_step: toNumber(step!),
    last_bid_at: toSeconds(lastBidAt!),
    last_member: lastMember,
  };
}

/** Rows of `nft_sales`. */
export async function saleRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const of = async (type: string) =>
    stateTimes(
      blocks,
      await askList(server, `SELECT DISTINCT address FROM nft_sales WHERE type = '${type}'`),
    );
  return [
    ...(await methodHistory(server, await of('sale'), 'get_fix_price_data_v4', toSale)),
    ...(await methodHistory(server, await of('auction'), 'get_auction_data_v4', toAuction)),
  ];
}

/** Rows of `multisig_orders`: `get_order_data` of each order. */
export async function orderRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const last = lastTransactions(blocks);
  const rows: Row[] = [];
  for (const address of await askList(server, 'SELECT address FROM multisig_orders')) {
    const stack = await server.runGetMethod(address, 'get_order_data');
    const [multisig, seqno, threshold, isSent, signers, mask, approvals, expires, order] = stack;
    const list = Dictionary.loadDirect(
      Dictionary.Keys.Uint(8),
      Dictionary.Values.Address(),
      Cell.fromBase64(String(signers!.value)),
    );
    rows.push({
      address,
      multisig_address: toAddress(multisig!),
      order_seqno: toNumber(seqno!),
      threshold: toNumber(threshold!),
      sent_for_execution: isTrue(isSent!),
      approvals_num: toNumber(approvals!),
      approvals_mask: toNumber(mask!),
      expiration_date: toNumber(expires!),
      signers: list.values().map((signer) => signer.toRawString().toUpperCase()),
      order_boc: toRootHash(order!.value),
      lt: last.get(address)?.lt ?? 0,
    });
  }
  return rows;
}
