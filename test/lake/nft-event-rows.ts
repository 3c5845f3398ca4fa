/** Rows of `nft_events`, from actions of the API and from what items say of themselves. */

import { list } from './api-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { methodItems } from './method-rows.ts';

type Details = Readonly<Record<string, unknown>>;
interface Action {
  readonly type: string;
  readonly trace_id: string;
  readonly success: boolean;
  readonly details: Details;
}

/** Types of events by types of actions (docs/contract/data-lake.md). */
const TYPES: Readonly<Record<string, string>> = {
  nft_mint: 'mint',
  nft_transfer: 'transfer',
  nft_purchase: 'sale',
  dns_purchase: 'sale',
  nft_put_on_sale: 'put_on_sale',
  nft_put_on_auction: 'put_on_sale',
  teleitem_start_auction: 'put_on_sale',
  nft_cancel_sale: 'cancel_sale',
  nft_cancel_auction: 'cancel_sale',
  teleitem_cancel_auction: 'cancel_sale',
  auction_bid: 'bid',
};

/** Values that an action names itself. */
function toRow({ type, details, trace_id }: Action): Row {
  const event = type === 'nft_transfer' && details.is_purchase === true ? 'sale' : TYPES[type]!;
  const price = { sale: details.price, bid: details.amount, put_on_sale: details.full_price }[event];
  const before = {
    sale: details.real_old_owner ?? details.old_owner,
    transfer: details.old_owner,
    bid: details.bidder,
    mint: details.owner,
  }[event];
  return {
    trace_id,
    type: event,
    nft_item_address: details.nft_item,
    sale_price: price ?? null,
    ...(before !== undefined && { prev_owner: before }),
    ...((event === 'sale' || event === 'transfer') && { owner_address: details.new_owner }),
    payment_asset: event === 'mint' || event === 'transfer' ? null : 'TON',
  };
}

/** Rows of events whose actions name all that they are. */
export async function apiNftEvents(server: LakeServer): Promise<readonly Row[]> {
  const actions = (await list(server, 'actions', 'actions', '&sort=asc')) as unknown as readonly Action[];
  const events = actions.filter(({ type, success, details }) => success && TYPES[type] && details.nft_item);
  const items = [...new Set(events.map(({ details }) => String(details.nft_item)))];
  const states = new Map((await methodItems(server, items)).map((row) => [row.address, row]));
  return events.map((action) => {
    const { index, collection_address } = states.get(String(action.details.nft_item))!;
    return { ...toRow(action), nft_item_index: index, collection_address };
  });
}
