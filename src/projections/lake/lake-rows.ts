import type { NFT_EVENT_TYPES } from '../../tables/lake/nft-events.ts';
import type { TRADE_TYPES } from '../../tables/lake/trades.ts';
import type { TableBuilder } from '../../ton/columns/table-builder.ts';
import type { NftEvent } from './nft-event.ts';
import type { Trade } from './trade.ts';

const toBytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const parse64 = (base64: string): Buffer => Buffer.from(base64, 'base64');

export function pushTrade(table: TableBuilder<typeof TRADE_TYPES>, trade: Trade): void {
  const { col } = table;
  col.mc_seqno.push(trade.position);
  col.lt.push(trade.lt);
  col.time.push(trade.time);
  col.tx_hash.push(parse64(trade.txHash));
  col.trace_id.push(parse64(trade.traceId));
  col.project.push(toBytes(trade.project));
  col.version.push(trade.version);
  col.trader.push(toBytes(trade.trader));
  col.pool.push(toBytes(trade.pool));
  col.router.push(toBytes(trade.router));
  col.payer.push(toBytes(trade.payer));
  col.sold.push(toBytes(trade.sold));
  col.bought.push(toBytes(trade.bought));
  col.amount_sold.push(trade.amountSold);
  col.amount_bought.push(trade.amountBought);
  col.reserve_sold.push(trade.reserves?.[0] ?? null);
  col.reserve_bought.push(trade.reserves?.[1] ?? null);
  col.referral.push(toBytes(trade.referral));
  col.query_id.push(trade.queryId);
  col.platform_tag.push(toBytes(trade.platformTag));
  table.endRow();
}

export function pushNftEvent(table: TableBuilder<typeof NFT_EVENT_TYPES>, event: NftEvent): void {
  const { col } = table;
  const { sale } = event;
  col.mc_seqno.push(event.position);
  col.lt.push(event.lt);
  col.time.push(event.time);
  col.tx_hash.push(parse64(event.txHash));
  col.trace_id.push(parse64(event.traceId));
  col.type.push(toBytes(event.type));
  col.item.push(toBytes(event.item));
  col.is_init.push(event.isInit);
  col.item_index.push(event.index);
  col.collection.push(toBytes(event.collection));
  col.owner.push(toBytes(event.owner));
  col.content.push(toBytes(event.content));
  col.prev_owner.push(toBytes(event.prevOwner));
  col.query_id.push(event.queryId);
  col.forward_amount.push(event.forwardAmount);
  col.forward_payload.push(parse64(event.forwardPayload));
  col.comment.push(toBytes(event.comment));
  col.custom_payload.push(parse64(event.customPayload));
  col.contract.push(toBytes(sale.contract));
  col.sale_type.push(toBytes(sale.type));
  col.end_time.push(sale.endTime);
  col.marketplace.push(toBytes(sale.marketplace));
  col.fee_address.push(toBytes(sale.feeAddress));
  col.fee.push(sale.fee);
  col.price.push(sale.price);
  col.royalty_address.push(toBytes(sale.royaltyAddress));
  col.royalty.push(sale.royalty);
  col.max_bid.push(sale.maxBid);
  col.min_bid.push(sale.minBid);
  col.min_step.push(sale.minStep);
  table.endRow();
}
