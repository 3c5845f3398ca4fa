import { type EnumName, enumNames } from '../../tables/column-type.ts';
import { TRANSFER_KIND } from '../../tables/contract-types.ts';
import type { ReadToken } from '../../ton/contracts/known-layouts.ts';
import type { NamedAddress } from '../../ton/contracts/read-fields.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';

/** An account after a block with transactions of it, or from a given state. */
export interface StateFact {
  readonly type: 'state';
  readonly position: number;
  readonly account: AccountAddress;
  readonly lt: bigint;
  /** Time of the last transaction, Unix seconds; 0 if the block does not contain it. */
  readonly now: number;
  readonly codeHash: Uint8Array;
  readonly dataHash: Uint8Array;
  /** null: no token contract that is known. */
  readonly token: ReadToken;
  readonly cells: StateCells;
  readonly contract: ShownContract;
}

/**
 * Data of an account whose code has more than a token: `hidden` if its cell is pruned, `large` if it is not stored;
 * null under other codes.
 */
export type ShownContract = ContractCells | 'hidden' | 'large' | null;

/** The data cell as a block shows it. */
export interface ContractCells {
  readonly codeDepth: number;
  /** A bag of cells; what the block did not change may be pruned. */
  readonly data: Uint8Array;
}

/** Hashes of cells below an Account cell, 32 bytes each, concatenated. */
export interface StateCells {
  /** Cells that the state shows: a later block leaves them out, and their hash is found here. */
  readonly shown: Uint8Array;
  /** Cells that it leaves out and that may be in no block of the index; empty in an index that has every state. */
  readonly absent: Uint8Array;
}

export const NO_CELLS: StateCells = { shown: new Uint8Array(0), absent: new Uint8Array(0) };

/** By the codes of the tables' enum. */
export const TRANSFER_KINDS = enumNames(TRANSFER_KIND);
export type TransferKind = EnumName<typeof TRANSFER_KIND>;

/** Kinds of messages that move tokens: those of `token_transfers`, and what may be a mint. */
export const MOVE_KINDS = [...TRANSFER_KINDS, 'jetton_mint'] as const;

/** Body of a message that moves a token (TEP-74, TEP-62). */
export interface TransferBody<K = (typeof MOVE_KINDS)[number]> {
  readonly kind: K;
  readonly queryId: bigint;
  /** Jettons; 0 for NFTs. */
  readonly amount: bigint;
  readonly destination: NamedAddress;
  readonly response: NamedAddress;
  readonly forwardAmount: bigint;
  /** Bags of cells; empty for none. */
  readonly customPayload: Uint8Array;
  readonly forwardPayload: Uint8Array;
}

/** The transaction that received such a message. */
export interface TransferFact<K = (typeof MOVE_KINDS)[number]> extends TransferBody<K> {
  readonly type: 'transfer';
  readonly position: number;
  readonly account: AccountAddress;
  readonly lt: bigint;
  readonly hash: Uint8Array;
  /** Unix time, seconds. */
  readonly now: number;
  readonly isAborted: boolean;
  readonly source: AccountAddress | null;
}

/** A code that a block or state shows whole. */
export interface CodeFact {
  readonly type: 'code';
  readonly position: number;
  readonly codeHash: Uint8Array;
  readonly methods: readonly number[];
}

export type Fact = StateFact | TransferFact | CodeFact;
