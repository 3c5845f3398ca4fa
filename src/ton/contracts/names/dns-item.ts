import type { Boc } from '../../boc/boc.ts';
import { CellSlice } from '../../boc/cell-slice.ts';
import { CellBuilder } from '../../cell/cell-builder.ts';
import type { AccountAddress } from '../../store/store-address.ts';
import { readSnake } from '../../tlb/snake-text.ts';
import { type CompleteData, type ContractState, type ReadContract, rawOrNull } from '../contract-state.ts';
import { standard, standardOrNone } from '../read-fields.ts';
import { isOwnItem } from '../tokens/nft-item.ts';
import { readText } from '../tokens/token-content.ts';
import { readNameRecords } from './dns-records.ts';

const ZONE = '.ton';

/**
 * Name of the `.ton` zone (TEP-81). Its content has a marker byte, then the records.
 *
 *     auction#_ max_bid_address:MsgAddress max_bid_amount:Coins end_time:uint64 = NameAuction;
 *     _ index:uint256 collection:MsgAddress owner:MsgAddress content:^Cell domain:^Cell auction:(Maybe ^NameAuction)
 *       last_fill_up_time:uint64 = NameData;
 */
export const readDnsItem: ReadContract = (cells) => {
  const { boc } = cells;
  const start = readStart(cells);
  if (!start) return null;
  const { slice, collection, owner } = start;
  const content = new CellSlice(boc, slice.ref());
  const label = new CellSlice(boc, slice.ref());
  const auction = slice.maybeRef();
  const lastFillUp = slice.u64();
  if (content.uint(8) !== 0) return null;
  const bid = auction < 0 ? null : nameAuction(new CellSlice(boc, auction));
  const name = { collection, owner, label: label.cell, records: content.maybeRef() };
  return nameState(boc, name, {
    bidder: bid?.bidder ?? null,
    details: {
      max_bid_address: rawOrNull(bid?.bidder ?? null),
      max_bid_amount: bid ? bid.amount.toString() : null,
      auction_end_time: bid ? bid.endTime.toString() : null,
      last_fill_up_time: lastFillUp.toString(),
    },
  });
};

/**
 * Name of the local chain (src/localnet/contracts/dns-item.tolk): no auctions.
 *
 *     _ index:uint256 collection:MsgAddress owner:MsgAddress label:^Cell content:^Cell records:DNS_RecordSet = NameStorage;
 */
export const readPlainDnsItem: ReadContract = (cells) => {
  const { boc } = cells;
  const start = readStart(cells);
  if (!start) return null;
  const { slice, collection, owner } = start;
  const label = slice.ref();
  slice.skipRefs(1);
  const name = { collection, owner, label, records: slice.maybeRef() };
  return nameState(boc, name, { bidder: null, details: {} });
};

/** The fields that every name begins with; null for one that is not begun yet, or at another address than its own. */
function readStart({ boc, data, account, code }: CompleteData) {
  const slice = new CellSlice(boc, data);
  const index = new CellBuilder().bigUint(slice.bigUint(256), 256);
  const collection = standard(slice);
  if (slice.bitsLeft === 0 || !isOwnItem(account, code, index, collection)) return null;
  return { slice, collection, owner: standardOrNone(slice) };
}

function nameAuction(slice: CellSlice) {
  return { bidder: standardOrNone(slice), amount: slice.coins(), endTime: slice.u64() };
}

interface Name {
  readonly collection: AccountAddress;
  readonly owner: AccountAddress | null;
  /** Cell of the label. */
  readonly label: number;
  /** Dictionary of the records, -1 for none. */
  readonly records: number;
}

function nameState(
  boc: Boc,
  { collection, owner, label, records }: Name,
  auction: Pick<ContractState, 'bidder' | 'details'>,
): ContractState | null {
  const text = readText(readSnake(boc, label, 0));
  const { wallet, details } = readNameRecords(boc, records);
  if (text === null || text === '') return null;
  return {
    kind: 'dns_item',
    owner,
    parent: collection,
    domain: `${text}${ZONE}`,
    wallet,
    bidder: auction.bidder,
    details: { ...details, ...auction.details },
  };
}
