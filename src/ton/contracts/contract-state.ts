import { type EnumName, enumNames } from '../../tables/column-type.ts';
import { CONTRACT_KIND } from '../../tables/contract-types.ts';
import { formatRaw } from '../address/address.ts';
import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import type { CellSlice } from '../boc/cell-slice.ts';
import type { HashAndDepth } from '../boc/virtual-cell.ts';
import type { AccountAddress } from '../store/store-address.ts';
import { standardOrNone } from './read-fields.ts';
import type { TokenState } from './token-state.ts';

/** Contracts around tokens: sales, and items with more functions; contracts that hold coins for several accounts. */
export const CONTRACT_KINDS = enumNames(CONTRACT_KIND);
export type ContractKind = EnumName<typeof CONTRACT_KIND>;

/** Fields of a contract by the names of v3-models.md 10 and 11; addresses raw, amounts decimal. */
export type ContractDetails = Readonly<Record<string, DetailValue>>;
type DetailValue = string | number | boolean | null | readonly string[] | readonly ContractDetails[];

/** Accounts, in addition to the owner, by which a contract is found. `multisig`: the wallet of an order. */
export const MEMBER_ROLES = ['signer', 'proposer', 'multisig', 'sender', 'whitelisted', 'nominator'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export interface Member {
  readonly role: MemberRole;
  readonly account: AccountAddress;
}

/** An account by which a contract is found: a member, or what the record `wallet` of a name holds; of a name, also its SHA-256. */
export interface ContractKey {
  readonly role: MemberRole | 'wallet' | 'domain';
  readonly account: AccountAddress;
}

/** State of a contract by its data cell, as its get methods would answer it. */
export interface ContractState {
  readonly kind: ContractKind;
  /** Seller of an NFT, owner of an item or of coins; null for none. */
  readonly owner: AccountAddress | null;
  /** The NFT that is sold, the collection of an item, the multisig of an order; null for none. */
  readonly parent: AccountAddress | null;
  /** Full name (TEP-81), `alice.ton`; empty for contracts that are no name. */
  readonly domain: string;
  /** The record `wallet` of a name. */
  readonly wallet: AccountAddress | null;
  /** Leading bidder of an auction that is not settled. */
  readonly bidder: AccountAddress | null;
  readonly details: ContractDetails;
  /** Default: none. */
  readonly members?: readonly Member[];
  /** Hash of the code that a multisig's orders must have, or of an order's own code. Default: zeros. */
  readonly childCode?: Uint8Array;
  /** The NFT item that the contract also is, if its cells cannot be read separately; otherwise absent. */
  readonly token?: TokenState;
}

/** The data of an account in a bag; nothing of it is pruned. */
export interface CompleteData {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  readonly account: AccountAddress;
  readonly code: HashAndDepth;
  /** Index of the data cell. */
  readonly data: number;
}

/**
 * Reads the data of a code.
 * @returns null if the data names another address, or the contract is not initialised
 * @throws CellError if the data has another form
 */
export type ReadContract = (cells: CompleteData) => ContractState | null;

/** Fields that stay empty in contracts that are no names. */
export const NO_NAME = { domain: '', wallet: null, bidder: null } as const;

/** Raw text of an address, null for none. */
export function rawOrNull(address: AccountAddress | null): string | null {
  return address && formatRaw(address.workchain, address.address);
}

/** The account of a standard address as raw text, null for any other. */
export function rawField(slice: CellSlice): string | null {
  return rawOrNull(standardOrNone(slice));
}
