import type { Cell } from '../../ton/cell/cell.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ForkedParam } from './fork-config.ts';

/** An account of another network. */
export interface ForkedAccount {
  readonly address: AccountAddress;
  /** The cell of the Account, as that network has it. */
  readonly account: Cell;
}

/** Accounts, public libraries and configuration parameters of other networks that a local chain begins with. */
export interface Fork {
  readonly accounts: readonly ForkedAccount[];
  readonly libraries: readonly Cell[];
  /** Configuration parameters that take the place of the local chain's. */
  readonly params: readonly ForkedParam[];
}

/** A fork that was read from files. */
export interface ReadFork extends Fork {
  /** Identity of the content, lower-case hex. Names and order of the files do not matter. */
  readonly hash: string;
  /** One sentence for each kind of content that is left out or missing. */
  readonly notices: readonly string[];
}

/** Numbers and notices of a fork, for the log. */
export interface ForkSummary {
  readonly accounts: number;
  readonly libraries: number;
  /** Numbers of the configuration parameters. */
  readonly params: readonly number[];
  readonly notices: readonly string[];
}

export function summarizeFork({ accounts, libraries, params, notices }: ReadFork): ForkSummary {
  const numbers = params.map(({ param }) => param);
  return { accounts: accounts.length, libraries: libraries.length, params: numbers, notices };
}

export const NO_FORK: Fork = { accounts: [], libraries: [], params: [] };
