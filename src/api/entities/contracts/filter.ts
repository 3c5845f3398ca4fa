import type { ContractKind } from '../../../ton/contracts/contract-state.ts';
import type { AccountId } from '../../query/account-id.ts';
import type { Page } from '../../query/page.ts';
import { type ContractParty, SELLING } from './sold-items.ts';

/** Wanted contracts: accounts themselves, a party's, or those of full names. */
export type ContractFilter =
  | {
      readonly kinds: readonly ContractKind[];
      readonly addresses: readonly AccountId[];
    }
  | {
      readonly kinds: readonly ContractKind[];
      readonly party: ContractParty;
      readonly keys: readonly AccountId[];
    }
  | { readonly kinds: readonly ContractKind[]; readonly domainHash: string; readonly domain: string };

/** Which names are wanted. */
export type NameFilter = Exclude<ContractFilter, { readonly addresses: readonly AccountId[] }>;

/** The place of a name in their order: the shortest first, ties by text and address; `account` 64 upper-case hex digits. */
export interface NamePlace {
  readonly domain: string;
  readonly account: string;
  readonly workchain: number;
}

/** A page of names, after a scan's position if there is one. */
export interface NamesPage {
  readonly page: Page;
  readonly after: NamePlace | null;
}

/** Names in whose auction an account leads, by end and address. Times are Unix seconds. */
export interface LedAuctions {
  readonly bidder: AccountId;
  /** Auctions that end after `now`, or those that have ended; null: all of them. */
  readonly isRunning: boolean | null;
  readonly now: number;
  /** Rows after this one. */
  readonly after: { readonly endTime: string; readonly address: string } | null;
}

/** Collections whose items are names; `any` on a chain of our own. */
export type NameZones = readonly string[] | 'any';

export const NAMES: readonly ContractKind[] = ['teleitem', 'dns_item'];

/** Kinds that detection tries in addition to tokens. */
export const TRIED: readonly ContractKind[] = [...SELLING, ...NAMES];
