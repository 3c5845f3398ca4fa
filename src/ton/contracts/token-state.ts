import { type EnumName, enumNames } from '../../tables/column-type.ts';
import { TOKEN_KIND } from '../../tables/contract-types.ts';
import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import type { AccountAddress } from '../store/store-address.ts';

/** By the codes of the tables' enum. */
export const TOKEN_KINDS = enumNames(TOKEN_KIND);
export type TokenKind = EnumName<typeof TOKEN_KIND>;

/** Content cell of a token. */
export interface ContentFact {
  /** Level-0 hash of the cell, 32 bytes. */
  readonly hash: Uint8Array;
  /** Attributes of TEP-64 as JSON (v3-models.md 9); null if the cell is pruned. */
  readonly json: string | null;
}

/** A token contract from its data cell: the values of its get method. */
export interface TokenState {
  readonly kind: TokenKind;
  /** Supply of a master, balance of a wallet, next index of a collection (-1: none), index of an item. */
  readonly amount: bigint;
  /** A master is mintable; an item is initialised; a collection's content begins the links of its items. */
  readonly flag: boolean;
  /** Admin of a master, owner of the others; null for none. */
  readonly owner: AccountAddress | null;
  /** Master of a wallet, collection of an item; null for none. */
  readonly parent: AccountAddress | null;
  /**
   * Code hash that a wallet or item must have to belong to its master or collection. For a wallet or item: its own
   * code. Zeros if absent.
   */
  readonly childCode: Uint8Array;
  readonly content: ContentFact | null;
  /** Link that items of a collection begin with, or the end of an item's. */
  readonly link: string;
}

/** Cells of an account in a bag. */
export interface ContractCells {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  readonly account: AccountAddress;
  /** Index of the code cell, -1 for none; it may be pruned or a library cell. */
  readonly code: number;
  /** Index of the data cell, which is no pruned branch. */
  readonly data: number;
}
