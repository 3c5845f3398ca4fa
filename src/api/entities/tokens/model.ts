import { type EnumName, enumNames } from '../../../tables/column-type.ts';
import { TOKEN_KIND } from '../../../tables/contract-types.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { TOKEN_PAYLOAD, TOKEN_TYPES } from '../../../tables/token-states.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { accountOfRaw, toRawAddress } from '../../query/account-id.ts';
import { I32, ID, type Keyset, keyset, type OrderColumn, U32, U64, U256 } from '../../query/keyset.ts';
import { createPackedReader } from '../../query/packed-rows.ts';
import type { Page } from '../../query/page.ts';
import type { Sql } from '../../query/sql.ts';

/** By the codes of the table's enum. */
export const TOKEN_KINDS = enumNames(TOKEN_KIND);

export type TokenKind = EnumName<typeof TOKEN_KIND>;

/** A token contract in its newest visible state. Addresses are raw, hashes base64, numbers decimal text. */
export interface TokenRow {
  readonly address: string;
  readonly kind: TokenKind;
  readonly lt: string;
  /** The masterchain step that first showed it as what it is. */
  readonly since: number;
  readonly codeHash: string;
  readonly dataHash: string;
  /** Supply, balance, next index (-1: none), index. */
  readonly amount: string;
  /**
   * A master is mintable, an item is initialised, a collection has the beginning of its items' links, a wallet has an
   * unclaimed mintless amount.
   */
  readonly flag: boolean;
  /** Admin or owner. */
  readonly owner: string | null;
  /** Master or collection. */
  readonly parent: string | null;
  /** Code of wallets or items. */
  readonly childCode: string;
  /** JSON; empty if the store does not have it. */
  readonly content: string;
  readonly link: string;
  /** True if get methods identified it and not its cells. `get_nft_content` of its collection returned an item's content. */
  readonly isDetected?: boolean;
}

/** A token contract as a list has it. */
export interface ListedToken extends TokenRow {
  /** The masterchain step that has this state. */
  readonly mcSeqno: number;
}

/** A token contract, or an account that was one of the kind before. */
export interface TokenState {
  readonly token: ListedToken;
  readonly isGone: boolean;
}

const { open, field, tail } = createPackedReader(TOKEN_PAYLOAD, TOKEN_TYPES);

/**
 * Reads rows of (account, is_detected, payload) in RowBinary. @throws UnknownLayoutError, and RangeError if the bytes end
 * early
 */
export function tokenStates(bytes: Buffer): TokenState[] {
  const found: TokenState[] = [];
  for (const rows = new RowBinary(bytes); rows.more; ) {
    const account = rows.fixed(32);
    const isDetected = rows.u8() === 1;
    found.push(readState(rows.string(), account, isDetected));
  }
  return found;
}

/** The same for any content: a statement that wants no ended token excludes it itself. */
export function tokenRows(bytes: Buffer): ListedToken[] {
  return tokenStates(bytes).map(({ token }) => token);
}

/** Reads a payload. @throws as `tokenStates` */
export function readState(payload: Buffer, account: Uint8Array, isDetected: boolean): TokenState {
  const row = open(payload);
  const { content, link } = tail(row).strings;
  const kind = field.kind(row);
  const token: ListedToken = {
    address: toRawAddress(field.workchain(row), account),
    kind,
    lt: String(field.lt(row)),
    since: field.since(row),
    codeHash: toBase64(field.code_hash(row)),
    dataHash: toBase64(field.data_hash(row)),
    amount: toAmount(kind, field.amount(row)),
    flag: field.flag(row),
    owner: addressOrNull(field.has_owner(row), field.owner_workchain(row), field.owner(row)),
    parent: addressOrNull(field.has_parent(row), field.parent_workchain(row), field.parent(row)),
    childCode: toBase64(field.child_code(row)),
    content: content.toString(),
    link: link.toString(),
    mcSeqno: field.mc_seqno(row),
    isDetected,
  };
  return { token, isGone: field.is_gone(row) };
}

/** The next index of a collection may be -1. */
function toAmount(kind: TokenKind, amount: bigint): string {
  return String(kind === 'nft_collection' ? BigInt.asIntN(256, amount) : amount);
}

/** A raw address; null for none. */
export function addressOrNull(isThere: boolean, workchain: number, hash: Uint8Array): string | null {
  return isThere ? toRawAddress(workchain, hash) : null;
}

/** Order of a list of token contracts: by first appearance, or by some columns. */
export type TokenOrder =
  | 'first'
  | 'amount'
  | 'lt'
  | 'index'
  | 'parent, index'
  | 'address'
  | 'owner, first'
  | 'owner, amount'
  | 'owner, parent, index';

/** The place of a token contract in any order of a list; numbers decimal, ids 64 upper-case hex digits. */
export interface TokenPlace {
  readonly since: number;
  readonly lt: string;
  /** As the column has it: not below zero. */
  readonly amount: string;
  readonly parent: string;
  /** In orders by owner. */
  readonly owner?: string;
  readonly account: string;
  readonly workchain: number;
}

type OwnedPlace = Required<TokenPlace>;

const PLACE = { since: U32, lt: U64, amount: U256, parent: ID } as const;
const ACCOUNT = { account: ID, workchain: I32 } as const;

const buildKeyset = (list: string): Keyset<TokenPlace> =>
  keyset<Omit<TokenPlace, 'owner'>>({ list, isResumable: false }, { ...PLACE, ...ACCOUNT });
const buildOwnedKeyset = (list: string): Keyset<OwnedPlace> =>
  keyset<OwnedPlace>({ list, isResumable: false }, { ...PLACE, owner: ID, ...ACCOUNT });

/** Places of lists of token contracts, which are as of one moment. */
export const TOKENS: Readonly<Record<TokenKind, Keyset<TokenPlace>>> = {
  jetton_master: buildKeyset('jm'),
  jetton_wallet: buildKeyset('jw'),
  nft_collection: buildKeyset('nc'),
  nft_item: buildKeyset('ni'),
};

/** The same for lists ordered by owner first. */
export const OWNED_TOKENS = {
  jetton_wallet: buildOwnedKeyset('jo'),
  nft_item: buildOwnedKeyset('no'),
} as const;

/** Places of a list, and the place of each row. */
export function tokenPlaces(kind: TokenKind, order: TokenOrder) {
  const isOwned = isByOwner(order) && (kind === 'jetton_wallet' || kind === 'nft_item');
  const form: Omit<Keyset<TokenPlace>, 'order'> = isOwned ? OWNED_TOKENS[kind] : TOKENS[kind];
  return { form, toPlace: (row: TokenRow) => tokenPlace(row, order) };
}

const NO_ID = '0'.repeat(64);

/** The place of a row in an order. */
export function tokenPlace(
  { since, lt, amount, parent, owner, address }: TokenRow,
  order: TokenOrder = 'first',
): TokenPlace {
  const { hash, workchain } = accountOfRaw(address);
  const number = BigInt.asUintN(256, BigInt(amount)).toString();
  const ids = { parent: toId(parent), ...(isByOwner(order) && { owner: toId(owner) }) };
  return { since, lt, amount: number, ...ids, account: hash, workchain };
}

/** True if a list is ordered by owner first. */
function isByOwner(order: TokenOrder): boolean {
  return order.startsWith('owner,');
}

function toId(raw: string | null): string {
  return raw === null ? NO_ID : accountOfRaw(raw).hash;
}

type Columns = readonly OrderColumn<OwnedPlace>[];

const up = (...names: readonly (keyof TokenPlace)[]): Columns => names.map((name) => [name, 'ASC']);
const ADDRESS = up('account', 'workchain');
const AMOUNT: Columns = [
  ['amount', 'page'],
  ['account', 'page'],
  ['workchain', 'page'],
];
const ORDERS: Readonly<Record<TokenOrder, Columns>> = {
  first: [...up('since'), ...ADDRESS],
  amount: AMOUNT,
  lt: [['lt', 'DESC'], ...ADDRESS],
  index: [...up('amount'), ...ADDRESS],
  'parent, index': [...up('parent', 'amount'), ...ADDRESS],
  address: ADDRESS,
  'owner, first': [...up('owner', 'since'), ...ADDRESS],
  'owner, amount': [...up('owner'), ...AMOUNT],
  'owner, parent, index': [...up('owner', 'parent', 'amount'), ...ADDRESS],
};

/** A page of a list in an order. */
interface Listed {
  readonly page: Page;
  readonly order: TokenOrder;
}

/** True if an order's first column descends: not every order turns with the page. */
export function isDescending({ order, page }: Listed): boolean {
  const [, way] = ORDERS[order][0]!;
  return way === 'DESC' || (way === 'page' && page.descending);
}

/** The text after ORDER BY. */
export function orderSql({ order, page }: Listed): Sql {
  return OWNED_TOKENS.nft_item.order(...ORDERS[order]).by(page.descending);
}

/** Condition of the rows after a position; null without one. */
export function afterSql({ order, page }: Listed, after: TokenPlace | null | undefined): Sql | null {
  if (!after) return null;
  return OWNED_TOKENS.nft_item
    .order(...ORDERS[order])
    .after({ ...after, owner: after.owner ?? NO_ID }, page.descending);
}

/** Compares rows as the statement's ORDER BY does. */
export function compareTokens(list: Listed): (a: TokenRow, b: TokenRow) => number {
  const compare = comparePlaces(list);
  return (a, b) => compare(tokenPlace(a, list.order), tokenPlace(b, list.order));
}

/** True if a row is after a position; always true without one. */
export function isAfter(list: Listed, after: TokenPlace | null | undefined): (row: TokenRow) => boolean {
  if (!after) return () => true;
  const compare = comparePlaces(list);
  return (row) => compare(tokenPlace(row, list.order), after) > 0;
}

/** Compares places as the statement's ORDER BY does. */
export function comparePlaces({ order, page }: Listed): (a: TokenPlace, b: TokenPlace) => number {
  const columns = ORDERS[order].map(
    ([name, way]) => [name, way === 'DESC' || (way === 'page' && page.descending)] as const,
  );
  return (a, b) => {
    for (const [name, isDown] of columns) {
      const [one, other] = [toValue(name, a), toValue(name, b)];
      if (one !== other) return one < other === isDown ? 1 : -1;
    }
    return 0;
  };
}

/** A value that compares as the column does. */
function toValue(name: keyof TokenPlace, place: TokenPlace): bigint | number | string {
  return name === 'amount' || name === 'lt' ? BigInt(place[name]) : (place[name] ?? NO_ID);
}
