import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import type { BlockIdExt } from '../block-id.ts';
import { type FoundCell, findCells } from '../files/find-cells.ts';
import { fetchAccount, fetchLibraries, MAX_LIBRARIES } from './fetch-account.ts';
import { NoServerError } from './server-errors.ts';
import type { ServerPool } from './server-pool.ts';

export interface WantedCells {
  readonly accounts: readonly AccountAddress[];
  /** Hashes of libraries, lower-case hex. */
  readonly libraries: readonly string[];
}

/** Accounts that are asked for at the same time. */
const AT_ONCE = 16;

export interface CellsOptions {
  readonly signal: AbortSignal;
  /** Accounts that are asked for at the same time. Default 16. */
  readonly atOnce?: number;
  /** Called with the error if no server delivers a state or libraries. `what`: `workchain:hex` of the account, or hashes. */
  readonly onFailure?: (what: readonly string[], error: Error) => void;
}

/**
 * Lite servers as an outlet of cells (projections/contracts/cells/state-outlet.ts): states of accounts, proven at a
 * masterchain block, and libraries. `blocks`: where to ask, the first one first; later ones if no server has the state.
 */
export class CellsOfServers {
  private readonly pool: ServerPool;
  private readonly blocks: readonly BlockIdExt[];
  private readonly wanted: WantedCells;
  private readonly options: CellsOptions;

  constructor(pool: ServerPool, blocks: readonly BlockIdExt[], wanted: WantedCells, options: CellsOptions) {
    this.pool = pool;
    this.blocks = blocks;
    this.wanted = wanted;
    this.options = options;
  }

  async *cells(hashes: ReadonlySet<string>): AsyncGenerator<FoundCell> {
    const { accounts, libraries } = this.wanted;
    const { atOnce = AT_ONCE } = this.options;
    for (let from = 0; from < accounts.length; from += atOnce) {
      const states = accounts.slice(from, from + atOnce).map((account) => this.state(account));
      for (const state of await Promise.all(states))
        if (state) yield* findCells(state.boc, hashes, state.origin);
    }
    const named = libraries.filter((hash) => hashes.has(hash));
    for (let from = 0; from < named.length; from += MAX_LIBRARIES)
      yield* await this.libraries(named.slice(from, from + MAX_LIBRARIES));
  }

  /** Null if the account does not exist, or no server has its state at any of the blocks. */
  private async state(
    account: AccountAddress,
  ): Promise<{ readonly boc: Uint8Array; readonly origin: string } | null> {
    let failure: NoServerError | null = null;
    for (const block of this.blocks) {
      try {
        const found = await fetchAccount(this.pool, account, block, this.options.signal);
        if (found) return found;
      } catch (error) {
        if (!(error instanceof NoServerError)) throw error;
        failure = error;
      }
    }
    if (failure) this.options.onFailure?.([toAccountName(account)], failure);
    return null;
  }

  private async libraries(hashes: readonly string[]): Promise<FoundCell[]> {
    try {
      return await fetchLibraries(this.pool, hashes, this.options.signal);
    } catch (error) {
      if (!(error instanceof NoServerError)) throw error;
      this.options.onFailure?.(hashes, error);
      return [];
    }
  }
}
