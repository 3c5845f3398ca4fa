import { type EnumName, enumNames } from '../../../tables/column-type.ts';
import { TOKEN_KIND } from '../../../tables/contract-types.ts';
import { TOKEN_PAYLOAD, TOKEN_TYPES } from '../../../tables/token-states.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { createPackedReader, packedRows } from '../../query/packed-rows.ts';

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

const { open, field, tail } = createPackedReader(TOKEN_PAYLOAD, TOKEN_TYPES);

/** Reads rows of (account, payload) in RowBinary. @throws UnknownLayoutError, and RangeError if the bytes end early */
export function tokenStates(bytes: Buffer): TokenState[] {
  return packedRows(bytes, readState);
}

/** The same for any content: a statement that wants no ended token excludes it itself. */
export function tokenRows(bytes: Buffer): ListedToken[] {
  return tokenStates(bytes).map(({ token }) => token);
}

function readState(payload: Buffer, account: Uint8Array): TokenState {
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
