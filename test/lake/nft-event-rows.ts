/** Rows of `nft_events`, from actions of the API and get methods of items, sales and auctions. */
import { list } from './api-rows.ts';
import { apiTransactions } from './api-transactions.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { toRootHash, toSortedJson } from './lake-values.ts';
import { toAddress, toNumber } from './method-rows.ts';
import { toAuction, toSale } from './sale-rows.ts';
import { readContent } from './token-content.ts';

type Details = Readonly<Record<string, unknown>>;
interface Action {
  readonly type: string;
  readonly trace_id: string;
  readonly success: boolean;
  readonly details: Details;
  readonly transactions: readonly string[];
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
/** Types of the events of fixed-price sales; other sales are auctions. */
const FIXED_PRICE = ['nft_put_on_sale', 'nft_cancel_sale'];

/** Values that an action names itself. */
function ofAction({ type, details, trace_id }: Action): Row {
  const isHandOver = type === 'nft_transfer' && details.is_purchase === true;
  const event = isHandOver ? 'sale' : TYPES[type]!;
  const contract = {
    put_on_sale: details.sale_address ?? details.auction_address,
    cancel_sale: details.sale_address ?? details.auction_address,
    sale: type === 'nft_purchase' ? details.old_owner : details.nft_item,
    bid: details.auction,
  }[event];
  const before = {
    sale: details.real_old_owner ?? (type === 'dns_purchase' ? details.nft_collection : details.old_owner),
    transfer: details.old_owner,
    bid: details.bidder,
    mint: details.owner,
  }[event];
  const after = { sale: details.new_owner, transfer: details.new_owner }[event] ?? details.owner;
  return {
    trace_id,
    type: event,
    nft_item_address: details.nft_item,
    prev_owner: before ?? null,
    ...(event !== 'mint' && event !== 'bid' && { owner_address: after ?? null }),
    query_id: details.query_id ?? null,
    forward_amount: details.forward_amount ?? null,
    forward_payload: toRootHash(details.forward_payload),
    custom_payload: toRootHash(details.custom_payload),
    comment: details.comment ?? null,
    sale_contract: contract ?? null,
    sale_price: { sale: details.price, bid: details.amount, put_on_sale: details.full_price }[event] ?? null,
    payment_asset: contract === undefined ? null : 'TON',
  };
}

/** Where an event is: the last transaction of the item in the action, or else of the auction. */
async function findPlace(server: LakeServer, { transactions, details }: Action): Promise<Row> {
  const known = await apiTransactions(server);
  const own = transactions
    .map((hash) => known.get(hash)!)
    .sort((a, b) => (BigInt(String(a.lt)) < BigInt(String(b.lt)) ? -1 : 1));
  const of = (account: unknown) => own.findLast((one) => one.account === account);
  const accounts = [details.nft_item, details.sale_address, details.auction_address, details.auction];
  return accounts.map(of).find((one) => one !== undefined) ?? own.at(-1)!;
}

/** Facts of the item itself after the event. */
async function ofItem(server: LakeServer, item: string, step: number): Promise<Row> {
  const stack = await server.runGetMethodAt(item, 'get_nft_data', step);
  if (!stack) throw new Error(`${item} has no get_nft_data at ${step}`);
  const [init, index, collection, owner, content] = stack;
  return {
    is_init: toNumber(init!) !== 0n,
    nft_item_index: toNumber(index!),
    collection_address: toAddress(collection!),
    owner_address: toAddress(owner!),
    content_onchain: toSortedJson(readContent(content!.value)),
  };
}

const NO_SALE = {
  ...{ sale_type: null, sale_end_time: null, marketplace_address: null, marketplace_fee_address: null },
  ...{ marketplace_fee: null, royalty_address: null, royalty_amount: null },
  ...{ auction_max_bid: null, auction_min_bid: null, auction_min_step: null },
};

/** Facts of the sale or auction after the event; after the step before if it is gone. */
async function ofSale(server: LakeServer, { type }: Action, row: Row, at: Row): Promise<Row> {
  const { sale_contract: contract, nft_item_address: item } = row;
  if (contract === null) return NO_SALE;
  if (contract === item) return ofOwnAuction(server, String(item), Number(at.mc_block_seqno));
  const step = Number(at.mc_block_seqno);
  for (const seqno of [step, step - 1])
    for (const [method, toRow] of [
      ['get_fix_price_data_v4', toSale],
      ['get_auction_data_v4', toAuction],
    ] as const) {
      const stack = await server.runGetMethodAt(String(contract), method, seqno);
      if (!stack) continue;
      const sale = toRow(stack, { address: String(contract), now: 0, lt: 0n, step: seqno });
      if (FIXED_PRICE.includes(type) && sale.type !== 'sale') throw new Error(`${contract} is no sale`);
      return {
        sale_type: sale.type,
        sale_end_time: sale.end_time,
        marketplace_address: sale.marketplace_address,
        marketplace_fee_address: sale.marketplace_fee_address,
        marketplace_fee: sale.marketplace_fee,
        royalty_address: sale.royalty_address,
        royalty_amount: sale.royalty_amount,
        auction_max_bid: sale.max_bid,
        auction_min_bid: sale.min_bid,
        auction_min_step: sale.min_step,
      };
    }
  throw new Error(`${contract} has no get method of a sale at ${step}`);
}

/** A username is its own auction. Its royalty is a share. */
async function ofOwnAuction(server: LakeServer, item: string, step: number): Promise<Row> {
  // A sold username has no auction: the step before has the facts.
  for (const seqno of [step, step - 1]) {
    const config = await server.runGetMethodAt(item, 'get_telemint_auction_config', seqno);
    const state = await server.runGetMethodAt(item, 'get_telemint_auction_state', seqno);
    const royalty = await server.runGetMethodAt(item, 'royalty_params', seqno);
    if (!config || !state) continue;
    return {
      ...NO_SALE,
      sale_type: 'auction',
      sale_end_time: Number(toNumber(state[4]!)) || null,
      marketplace_fee_address: toAddress(config[0]!),
      royalty_address: royalty && toAddress(royalty[2]!),
      auction_max_bid: toNumber(config[2]!),
      auction_min_bid: toNumber(config[1]!),
      auction_min_step: toNumber(config[3]!),
    };
  }
  return { ...NO_SALE, sale_type: 'auction' };
}

/** Rows of all events of items. */
export async function apiNftEvents(server: LakeServer): Promise<readonly Row[]> {
  const actions = (await list(server, 'actions', 'actions', '&sort=asc')) as unknown as readonly Action[];
  const events = actions.filter(({ type, success, details }) => success && TYPES[type] && details.nft_item);
  const rows: Row[] = [];
  for (const action of events) {
    const row = ofAction(action);
    const at = await findPlace(server, action);
    const item = await ofItem(server, String(row.nft_item_address), Number(at.mc_block_seqno));
    const place = { tx_hash: at.hash, lt: at.lt, timestamp: at.now };
    rows.push({ ...item, ...row, ...place, ...(await ofSale(server, action, row, at)) });
  }
  return rows;
}
