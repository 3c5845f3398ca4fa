import { accountOfRaw } from '../../query/account-id.ts';
import { I32, ID, type Keyset, keyset, U32, U64, U256 } from '../../query/keyset.ts';
import { direction, type Page } from '../../query/page.ts';
import type { Conditions } from '../../query/statement.ts';
import type { TokenKind, TokenRow } from './model.ts';

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

const PLACE = { since: U32, lt: U64, amount: U256, parent: ID } as const;
const ACCOUNT = { account: ID, workchain: I32 } as const;

/** Places of lists of token contracts, which are as of one moment. */
export const TOKENS: Readonly<Record<TokenKind, Keyset<TokenPlace>>> = {
  jetton_master: buildKeyset('jm'),
  jetton_wallet: buildKeyset('jw'),
  nft_collection: buildKeyset('nc'),
  nft_item: buildKeyset('ni'),
};

/** The same for lists ordered by owner first. */
export const OWNED_TOKENS = {
  jetton_wallet: keyset<OwnedPlace>({ list: 'jo', isResumable: false }, { ...PLACE, owner: ID, ...ACCOUNT }),
  nft_item: keyset<OwnedPlace>({ list: 'no', isResumable: false }, { ...PLACE, owner: ID, ...ACCOUNT }),
} as const;

type OwnedPlace = TokenPlace & { readonly owner: string };

function buildKeyset(list: string): Keyset<TokenPlace> {
  return keyset<Omit<TokenPlace, 'owner'>>({ list, isResumable: false }, { ...PLACE, ...ACCOUNT });
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
export function isByOwner(order: TokenOrder): boolean {
  return order.startsWith('owner,');
}

function toId(raw: string | null): string {
  return raw === null ? NO_ID : accountOfRaw(raw).hash;
}

type Way = 'ASC' | 'DESC';
type Columns = readonly (readonly [keyof TokenPlace, Way])[];

const ADDRESS = up('account', 'workchain');
const byAmount = (way: Way): Columns => [
  ['amount', way],
  ['account', way],
  ['workchain', way],
];
const ORDERS: Readonly<Record<TokenOrder, (way: Way) => Columns>> = {
  first: () => [...up('since'), ...ADDRESS],
  amount: byAmount,
  lt: () => [['lt', 'DESC'], ...ADDRESS],
  index: () => [...up('amount'), ...ADDRESS],
  'parent, index': () => [...up('parent', 'amount'), ...ADDRESS],
  address: () => ADDRESS,
  'owner, first': () => [...up('owner', 'since'), ...ADDRESS],
  'owner, amount': (way) => [...up('owner'), ...byAmount(way)],
  'owner, parent, index': () => [...up('owner', 'parent', 'amount'), ...ADDRESS],
};

function up(...columns: (keyof TokenPlace)[]): Columns {
  return columns.map((column) => [column, 'ASC']);
}

function getColumns(order: TokenOrder, page: Page): Columns {
  return ORDERS[order](direction(page));
}

/** The way in which an order's first column goes: not every order turns with the page. */
export function getWay(order: TokenOrder, page: Page): Way {
  return getColumns(order, page)[0]![1];
}

/** The text after ORDER BY. */
export function tokenOrderSql(order: TokenOrder, page: Page): string {
  return getColumns(order, page)
    .map(([column, way]) => `${column} ${way}`)
    .join(', ');
}

/** A column's value at a place. */
const VALUES: Readonly<Record<keyof TokenPlace, string>> = {
  since: '{after_since:UInt32}',
  lt: '{after_lt:UInt64}',
  amount: '{after_amount:UInt256}',
  parent: 'unhex({after_parent:String})',
  owner: 'unhex({after_owner:String})',
  account: 'unhex({after_account:String})',
  workchain: '{after_workchain:Int32}',
};

/** Adds the condition of the rows after a position. */
export function addBehind(
  conditions: Conditions,
  order: TokenOrder,
  page: Page,
  after: TokenPlace | null | undefined,
): void {
  if (!after) return;
  const columns = getColumns(order, page);
  const params = columns.map(([column]) => [`after_${column}`, after[column] ?? NO_ID]);
  conditions.add(behind(columns), Object.fromEntries(params));
}

function behind([first, ...rest]: Columns): string {
  if (!first) return '0';
  const [column, way] = first;
  const sign = way === 'ASC' ? '>' : '<';
  if (rest.length === 0) return `${column} ${sign} ${VALUES[column]}`;
  return `${column} ${sign}= ${VALUES[column]} AND (${column} ${sign} ${VALUES[column]} OR (${behind(rest)}))`;
}

/** Compares rows as the statement's ORDER BY does. */
export function compareTokens(order: TokenOrder, page: Page): (a: TokenRow, b: TokenRow) => number {
  const compare = comparePlaces(order, page);
  return (a, b) => compare(tokenPlace(a, order), tokenPlace(b, order));
}

/** True if a row is after a position; always true without one. */
export function isBehind(
  order: TokenOrder,
  page: Page,
  after: TokenPlace | null | undefined,
): (row: TokenRow) => boolean {
  if (!after) return () => true;
  const compare = comparePlaces(order, page);
  return (row) => compare(tokenPlace(row, order), after) > 0;
}

/** Compares places as the statement's ORDER BY does. */
export function comparePlaces(order: TokenOrder, page: Page): (a: TokenPlace, b: TokenPlace) => number {
  const columns = getColumns(order, page);
  return (a, b) => {
    for (const [column, way] of columns) {
      const result = compare(toValue(column, a), toValue(column, b));
      if (result !== 0) return way === 'ASC' ? result : -result;
    }
    return 0;
  };
}

/** A value that compares as the column does. */
function toValue(column: keyof TokenPlace, place: TokenPlace): bigint | number | string {
  return column === 'amount' || column === 'lt' ? BigInt(place[column]) : (place[column] ?? NO_ID);
}

function compare<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
