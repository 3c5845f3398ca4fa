import type { Packed } from '../../../tables/packed.ts';
import type { RowBinary } from '../../../tables/row-binary.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { packedRows } from '../../query/packed-rows.ts';

/** By the codes of the table's enum. */
export const TOKEN_KINDS = ['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item'] as const;

export type TokenKind = (typeof TOKEN_KINDS)[number];

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
  /** The content of an item is what its collection makes of it already. */
  readonly isComplete?: true;
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

/** The packed column of `tokens_latest` (clickhouse/contracts/0010_tokens_latest.sql). */
export const TOKEN_COLUMNS: Packed = {
  rows: 'tokens',
  layout: 1,
  sized: [
    'mc_seqno',
    'workchain',
    'lt',
    'kind',
    'is_gone',
    'since',
    'code_hash',
    'data_hash',
    'amount',
    'flag',
    'has_owner',
    'owner_workchain',
    'owner',
    'has_parent',
    'parent_workchain',
    'parent',
    'child_code',
  ],
  strings: ['content', 'link'],
};

/** Rows of (account, TOKEN_COLUMNS) in RowBinary. @throws as `packedRows` */
export function tokenStates(bytes: Buffer): TokenState[] {
  return packedRows(bytes, TOKEN_COLUMNS, readState);
}

/** The same for any content: a statement that wants no ended token excludes it itself. */
export function tokenRows(bytes: Buffer): ListedToken[] {
  return tokenStates(bytes).map(({ token }) => token);
}

function readState(row: RowBinary, account: Uint8Array): TokenState {
  const mcSeqno = row.u32();
  const address = toRawAddress(row.i32(), account);
  const lt = String(row.u64());
  const kind = TOKEN_KINDS[row.u8()] as TokenKind;
  const isGone = row.u8() !== 0;
  const since = row.u32();
  const hashes = { codeHash: toBase64(row.fixed(32)), dataHash: toBase64(row.fixed(32)) };
  const amount = amountText(kind, row);
  const flag = row.u8() !== 0;
  const parties = { owner: readAddress(row), parent: readAddress(row) };
  const childCode = toBase64(row.fixed(32));
  const lengths = { content: row.u32(), link: row.u32() };
  const content = row.text(lengths.content);
  const link = row.text(lengths.link);
  const known = { address, kind, lt, since, ...hashes, amount, flag, ...parties, childCode };
  return { token: { ...known, content, link, mcSeqno }, isGone };
}

/** The next index of a collection may be -1. */
function amountText(kind: TokenKind, row: RowBinary): string {
  if (kind !== 'nft_collection') return row.decimal(32);
  return BigInt.asIntN(256, row.bigint(32)).toString();
}

/** Whether there is one, its workchain, its id: raw; null for none. */
export function readAddress(row: RowBinary): string | null {
  const isThere = row.u8() !== 0;
  const workchain = row.i32();
  const hash = row.fixed(32);
  return isThere ? toRawAddress(workchain, hash) : null;
}
