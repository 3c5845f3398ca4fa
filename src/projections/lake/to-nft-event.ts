import { type ActionFact, type Details, getAmount, getText, type TransactionFact } from './action-fact.ts';
import { type NftEvent, type NftEventType, NO_SALE, type SaleFacts } from './nft-event.ts';
import type { StateFact } from './read-facts.ts';

/** How an action becomes an event: names of fields of its details; several: the first that is there. */
interface EventRule {
  readonly type: NftEventType;
  readonly owner?: readonly string[];
  readonly prevOwner?: readonly string[];
  readonly contract?: readonly string[];
  readonly price?: string;
}

const LISTING: EventRule = {
  type: 'put_on_sale',
  owner: ['owner'],
  contract: ['sale_address', 'auction_address'],
  price: 'full_price',
};
const CLOSING: EventRule = {
  type: 'cancel_sale',
  owner: ['owner'],
  contract: ['sale_address', 'auction_address'],
};
const PURCHASE: EventRule = {
  type: 'sale',
  owner: ['new_owner'],
  prevOwner: ['real_old_owner', 'old_owner'],
  contract: ['old_owner'],
  price: 'price',
};

/** Usernames and numbers are auctions themselves: the owner before is the seller. */
const OWN_AUCTION: EventRule = { ...PURCHASE, contract: ['nft_item'] };

/** Rules by type of action. A transfer that is a purchase is a sale; `getRule`. */
const RULES: Readonly<Record<string, EventRule>> = {
  nft_mint: { type: 'mint', prevOwner: ['owner'] },
  nft_transfer: { type: 'transfer', owner: ['new_owner'], prevOwner: ['old_owner'] },
  nft_purchase: PURCHASE,
  dns_purchase: { type: 'sale', owner: ['new_owner'], prevOwner: ['nft_collection'], price: 'price' },
  nft_put_on_sale: LISTING,
  nft_put_on_auction: LISTING,
  teleitem_start_auction: LISTING,
  nft_cancel_sale: CLOSING,
  nft_cancel_auction: CLOSING,
  teleitem_cancel_auction: CLOSING,
  nft_finish_auction: CLOSING,
  auction_bid: { type: 'bid', prevOwner: ['bidder'], contract: ['auction'], price: 'amount' },
  dns_release: { type: 'transfer' },
};

/** Types of actions that are events of items. */
export const NFT_ACTIONS: readonly string[] = Object.keys(RULES);

/** Accounts whose states an event needs: the item, and the contract that sells it. */
export function getAccounts({ details }: ActionFact): readonly string[] {
  const names = ['nft_item', 'sale_address', 'auction_address', 'old_owner', 'auction'];
  return names.map((name) => getText(details, name)).filter((account) => account !== '');
}

/** What an event is made from. */
export interface EventSources {
  /** Those of the action. */
  readonly transactions: readonly TransactionFact[];
  /** States of an account, oldest first. */
  readonly states: ReadonlyMap<string, readonly StateFact[]>;
  /** True if an item was bought in the same trace. */
  readonly isSold: boolean;
}

/** The event of an action; null if it is none, or names no item. An auction that ends with a purchase is only the sale. */
export function toNftEvent(action: ActionFact, sources: EventSources): NftEvent | null {
  const { details, type, position, traceId } = action;
  const rule = getRule(type, details);
  const item = getText(details, 'nft_item');
  if (!rule || item === '' || (type === 'nft_finish_auction' && sources.isSold)) return null;
  const contract = first(details, rule.contract);
  const at = findTransaction(sources.transactions, [item, contract]);
  if (!at) return null;
  const get = (account: string, upTo: bigint, isWanted: (state: StateFact) => boolean) =>
    sources.states
      .get(account)
      ?.findLast((one) => one.position <= position && one.lt <= upTo && isWanted(one));
  const state = get(item, at.lt, isItem);
  const before = type === 'dns_release' ? (get(item, at.lt - 1n, isItem)?.owner ?? '') : '';
  // A sale that was completed may be gone: its last state counts. A name keeps no facts of an auction that ended.
  const seller =
    contract === item || contract === ''
      ? get(item, at.lt, isOwnAuction)
      : (get(contract, at.lt, isSale) ?? get(contract, LAST, isSale));
  return {
    position,
    lt: at.lt,
    time: at.now,
    txHash: at.hash,
    traceId,
    type: rule.type,
    item,
    isInit: state?.isInit ?? true,
    index: getAmount(details, 'nft_item_index') ?? state?.index ?? null,
    collection: getText(details, 'nft_collection') || (state?.parent ?? ''),
    owner: first(details, rule.owner) || (rule.owner ? '' : (state?.owner ?? '')),
    content: state?.content ?? '',
    prevOwner: first(details, rule.prevOwner) || before,
    queryId: getAmount(details, 'query_id'),
    forwardAmount: getAmount(details, 'forward_amount'),
    forwardPayload: getText(details, 'forward_payload'),
    customPayload: getText(details, 'custom_payload'),
    comment: getText(details, 'comment'),
    sale: toSale(rule, { type, details, contract }, seller),
  };
}

const LAST = 2n ** 64n;

const isItem = ({ kind }: StateFact): boolean => kind === 'nft_item';
const isSale = ({ kind }: StateFact): boolean => kind === 'nft_sale' || kind === 'nft_auction';
/** True for a name or username that is in an auction. */
const isOwnAuction = ({ kind, details }: StateFact): boolean =>
  (kind === 'teleitem' || kind === 'dns_item') &&
  (getAmount(details, 'end_time') ?? getAmount(details, 'auction_end_time') ?? 0n) > 0n;

function getRule(type: string, details: Details): EventRule | undefined {
  if (type === 'nft_transfer' && details.is_purchase === true)
    return getText(details, 'real_old_owner') === '' ? OWN_AUCTION : PURCHASE;
  return RULES[type];
}

function first(details: Details, names: readonly string[] = []): string {
  return names.map((name) => getText(details, name)).find((text) => text !== '') ?? '';
}

/** The last transaction of the first of the accounts that has one, or else the last of the action. */
function findTransaction(
  transactions: readonly TransactionFact[],
  accounts: readonly string[],
): TransactionFact | undefined {
  const ordered = transactions.toSorted((a, b) => (a.lt < b.lt ? -1 : 1));
  for (const account of accounts) {
    const own = ordered.findLast((one) => one.account === account);
    if (own) return own;
  }
  return ordered.at(-1);
}

function toSale(
  rule: EventRule,
  {
    type,
    details,
    contract,
  }: { readonly type: string; readonly details: Details; readonly contract: string },
  seller: StateFact | undefined,
): SaleFacts {
  if (rule.type === 'mint' || rule.type === 'transfer') return NO_SALE;
  const known = seller?.details ?? {};
  const text = (...names: readonly string[]) => first(details, names) || first(known, names);
  const amount = (...names: readonly string[]) => {
    const values = [details, known].flatMap((from) => names.map((name) => getAmount(from, name)));
    return values.find((value) => value !== null) ?? null;
  };
  const endTime = getAmount(known, 'end_time') ?? getAmount(known, 'auction_end_time');
  return {
    contract: contract || getText(details, 'nft_item'),
    type: getSaleType(type, seller),
    endTime: endTime === null || endTime === 0n ? null : Number(endTime),
    marketplace: text('marketplace_address'),
    feeAddress: text('marketplace_fee_address', 'mp_fee_address', 'beneficiary_address'),
    fee: amount('marketplace_fee'),
    price: rule.price === undefined ? null : getAmount(details, rule.price),
    royaltyAddress: text('royalty_address', 'royalty_fee_address', 'royalty_destination'),
    royalty: amount('royalty_amount'),
    maxBid: amount('max_bid'),
    minBid: amount('initial_min_bid', 'min_bid'),
    minStep: amount('min_step', 'min_bid_step'),
  };
}

/** Names and usernames are sold by auctions of the item itself. */
function getSaleType(type: string, seller: StateFact | undefined): string {
  if (seller) return seller.kind === 'nft_sale' ? 'sale' : 'auction';
  return type === 'nft_put_on_sale' || type === 'nft_cancel_sale' || type === 'nft_purchase'
    ? 'sale'
    : 'auction';
}
