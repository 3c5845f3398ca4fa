import { type Static, Type } from 'typebox';
import type { LedAuctions } from '../../../entities/contracts/filter.ts';
import { readLedAuctions } from '../../../entities/contracts/find.ts';
import type { ContractRow } from '../../../entities/contracts/model.ts';
import { readTokensOfAccounts } from '../../../entities/tokens/find.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { documented, needed } from '../../../parameters/parameter.ts';
import { accountFromText, accountOfRaw, rawAddress } from '../../../query/account-id.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { readNftItems } from '../../answers/read-nft-items.ts';
import { endpoint } from '../../endpoint.ts';
import { bool, text } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { AUCTION_PLACE } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import { Described } from '../../schemas/address-book.ts';
import { Address, Amount, nullable } from '../../schemas/common.ts';
import { type NftItemAnswer, NftItemSchema } from '../../schemas/nft.ts';

const DEFAULT_LIMIT = 100;
const END_DIGITS = 20;
const STATES = { all: null, bidding: true, won: false } as const;
const UnixText = Type.String({ description: 'Unix time, seconds, decimal' });

/** v3-more.md section 2. */
const DnsAuctionSchema = Type.Object({
  nft_item_address: Address,
  domain: Type.String(),
  max_bid_address: Address,
  max_bid_amount: nullable(Amount),
  auction_end_time: UnixText,
  last_fill_up_time: nullable(UnixText),
  finished: Type.Boolean(),
  nft_item: Type.Optional(NftItemSchema),
});
type DnsAuctionAnswer = Static<typeof DnsAuctionSchema>;

const DnsAuctionsSchema = Type.Object({
  auctions: Type.Array(DnsAuctionSchema),
  ...Described,
  next_cursor: nullable(Type.String()),
});

/**
 * `/dns/activeAuctions` (v3-more.md 2): auctions of `.ton` names that an account leads. The clock decides which are
 * over: not cached.
 */
export const dnsActiveAuctions = endpoint({
  path: '/dns/activeAuctions',
  tag: 'dns',
  summary: 'Auctions of names that an account leads.',
  reads: ['base', 'contracts'],
  parameters: {
    bidder: needed(documented(text('The leading bidder.'), { format: 'ton-address' })),
    state: text('all, bidding (not over yet) or won (over, not claimed yet); all by default.'),
    include_nft_items: bool('Adds the item of each name.'),
    after: text('next_cursor of the page before.'),
    ...PAGING,
    ...SCANNING,
  },
  answer: DnsAuctionsSchema,
  async handle(fullScope, values, { settings, switches }) {
    const now = Math.floor(Date.now() / 1000);
    const led = ledAuctions(values, now);
    const page = toPage(values, { ...settings, defaultLimit: DEFAULT_LIMIT });
    const scan = parseScan(AUCTION_PLACE, values, page, fullScope.visible);
    if (scan && led.after) throw new HttpError(422, 'cursor and after exclude each other');
    const scope = scannedScope(fullScope, scan);
    if (led.after && page.offset > 0) throw new HttpError(422, 'use either after or offset, not both');
    const names = await readLedAuctions(scope, { ...led, ...(scan && { after: scan.after }) }, page);
    const accounts = names.map(({ address }) => accountOfRaw(address));
    const tokens = values.include_nft_items ? await readTokensOfAccounts(scope, 'nft_item', accounts) : [];
    const items = new Map((await readNftItems(scope, tokens)).map((item) => [item.address, item]));
    const described = await describeAddresses(
      scope,
      [
        ...names.map(({ address }) => address),
        ...(names.length > 0 ? [rawAddress(led.bidder)] : []),
        ...[...items.values()].map((item) => item.collection_address),
      ],
      switches,
    );
    const last = names.at(-1);
    const next = nextCursor(AUCTION_PLACE, scan, page, names.map(getPlace)).next_cursor;
    const after = last && names.length === page.limit ? toCursor(last) : null;
    return {
      auctions: names.map((row) => auctionAnswer(row, now, items.get(row.address))),
      ...described,
      next_cursor: scan ? (next ?? null) : after,
    };
  },
});

interface Values {
  readonly bidder: string | undefined;
  readonly state: string | undefined;
  readonly after: string | undefined;
}

/** @throws HttpError 422 */
function ledAuctions({ bidder: name = '', state = '', after }: Values, now: number): LedAuctions {
  const bidder = accountFromText(name);
  if (!bidder) throw new HttpError(422, 'bidder address is required');
  if (state !== '' && !Object.hasOwn(STATES, state))
    throw new HttpError(422, 'state must be one of: all, won, bidding');
  const isRunning = state === '' ? null : STATES[state as keyof typeof STATES];
  return { bidder, isRunning, now, after: after ? readCursor(after) : null };
}

const getEndTime = ({ details }: ContractRow): string => String(details.auction_end_time ?? '0');

function auctionAnswer(row: ContractRow, now: number, item: NftItemAnswer | undefined): DnsAuctionAnswer {
  const { max_bid_address: bidder, max_bid_amount: bid, last_fill_up_time: filled } = row.details;
  return {
    nft_item_address: row.address,
    domain: row.domain,
    max_bid_address: String(bidder),
    max_bid_amount: bid == null ? null : String(bid),
    auction_end_time: getEndTime(row),
    last_fill_up_time: filled == null ? null : String(filled),
    finished: BigInt(getEndTime(row)) <= BigInt(now),
    ...(item ? { nft_item: item } : {}),
  };
}

function getPlace(row: ContractRow) {
  return { endTime: getEndTime(row), address: row.address };
}

/** The contract's own cursor, for `after`: end time, a colon, the raw address. */
function toCursor(row: ContractRow): string {
  return Buffer.from(`${getEndTime(row).padStart(END_DIGITS, '0')}:${row.address}`).toString('base64url');
}

/** @throws HttpError 422 */
function readCursor(cursor: string): { readonly endTime: string; readonly address: string } {
  const found = /^(\d{20}):(-?\d{1,10}:[0-9A-F]{64})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  );
  const [, endTime = '', address = ''] = found ?? [];
  if (!found || BigInt(endTime) >= 1n << 64n) throw new HttpError(422, 'invalid after cursor');
  return { endTime: BigInt(endTime).toString(), address };
}
