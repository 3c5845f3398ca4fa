import { rawAddress } from './account-id.ts';
import type { RawRow } from './read-scope.ts';

export type TokenKind = 'jetton_master' | 'jetton_wallet' | 'nft_collection' | 'nft_item';

/** A token contract as its newest visible state says it. Addresses are raw, hashes base64, numbers decimal text. */
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
   * A master is mintable, an item is initialised, a collection has the beginning of its items' links, a wallet has a mintless
   * amount that nobody claimed.
   */
  readonly flag: boolean;
  /** Admin or owner. */
  readonly owner: string | null;
  /** Master or collection. */
  readonly parent: string | null;
  /** Code of wallets or items. */
  readonly childCode: string;
  /** JSON; empty where the store does not have it. */
  readonly content: string;
  readonly link: string;
  /** The content of an item is what its collection makes of it already. */
  readonly isWhole?: true;
}

/** A token contract as a list has it. */
export interface ListedToken extends TokenRow {
  /** The masterchain step that has this state. */
  readonly mcSeqno: number;
}

/** An address of two columns, raw; null where `has_…` is false. */
export function addressColumns(name: string): string {
  return `if(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), NULL)`;
}

/** SELECT list of `tokens_latest` and `token_states`. */
export const TOKEN_SELECT = [
  'workchain',
  'hex(account)',
  'toString(kind)',
  'toString(lt)',
  'base64Encode(code_hash)',
  'base64Encode(data_hash)',
  "if(kind = 'nft_collection', toString(reinterpretAsInt256(amount)), toString(amount))",
  'flag',
  addressColumns('owner'),
  addressColumns('parent'),
  'base64Encode(child_code)',
  'content',
  'link',
  'mc_seqno',
  'since',
].join(', ');

/** Reads a row of TOKEN_SELECT. */
export function tokenRow(values: RawRow): ListedToken {
  const [
    workchain,
    hash,
    kind,
    lt,
    codeHash,
    dataHash,
    amount,
    flag,
    owner,
    parent,
    childCode,
    content,
    link,
    mcSeqno,
    since,
  ] = values as readonly [number, ...string[]] as readonly unknown[];
  return {
    address: rawAddress({ workchain: Number(workchain), hash: String(hash) }),
    kind: kind as TokenKind,
    lt: String(lt),
    since: Number(since),
    codeHash: String(codeHash),
    dataHash: String(dataHash),
    amount: String(amount),
    flag: flag === true,
    owner: owner as string | null,
    parent: parent as string | null,
    childCode: String(childCode),
    content: String(content),
    link: String(link),
    mcSeqno: Number(mcSeqno),
  };
}
