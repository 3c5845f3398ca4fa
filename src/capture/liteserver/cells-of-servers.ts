import type { TlAnswer } from '../../liteapi/schema/values.ts';
import { checkAccount } from '../../ton/proofs/check-account.ts';
import type { BlockIdExt } from '../block-id.ts';
import { type FoundCell, findCells } from '../files/find-cells.ts';
import type { LiteServer } from './lite-server.ts';
import { NoServerError } from './server-errors.ts';
import type { ServerPool } from './server-pool.ts';
import { fromTlId, toTlId } from './tl-block-id.ts';

/** An account whose state lacks cells in the index. */
export interface LackingAccount {
  readonly workchain: number;
  /** 32 bytes. */
  readonly address: Uint8Array;
}

export interface WantedCells {
  readonly accounts: readonly LackingAccount[];
  /** Hashes of libraries, lower-case hex. */
  readonly libraries: readonly string[];
}

/** Rounds over all servers for one state: most servers keep recent states only. */
const ROUNDS = 2;
/** Libraries of one request: the limit of the reference server. */
const LIBRARIES = 16;
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
    for (let from = 0; from < named.length; from += LIBRARIES)
      yield* await this.libraries(named.slice(from, from + LIBRARIES));
  }

  /** Null if the account does not exist, or no server has its state at any of the blocks. */
  private async state(
    account: LackingAccount,
  ): Promise<{ readonly boc: Uint8Array; readonly origin: string } | null> {
    let failure: NoServerError | null = null;
    for (const block of this.blocks) {
      try {
        const found = await this.stateAt(account, block);
        if (found) return found;
      } catch (error) {
        if (!(error instanceof NoServerError)) throw error;
        failure = error;
      }
    }
    if (failure) this.options.onFailure?.([accountName(account)], failure);
    return null;
  }

  private async stateAt(account: LackingAccount, block: BlockIdExt) {
    const { workchain, address } = account;
    const request = { id: toTlId(block), account: { workchain, id: address } };
    const name = accountName(account);
    const { value } = await this.pool.ask('getAccountState', request, {
      signal: this.options.signal,
      what: `the state of ${name}`,
      rounds: ROUNDS,
      check: ({ shardblk, shard_proof, proof, state }, server) => {
        const shardBlock = fromTlId(shardblk);
        const asked = { id: block, shardBlock, account: { workchain, address } };
        const proven = checkAccount({ ...asked, shardProof: shard_proof, proof, state });
        return proven && { boc: Uint8Array.from(state), origin: `${name} by ${server.name}` };
      },
    });
    return value;
  }

  private async libraries(hashes: readonly string[]): Promise<FoundCell[]> {
    const library_list = hashes.map((hash) => Buffer.from(hash, 'hex'));
    const request = {
      signal: this.options.signal,
      what: `${hashes.length} libraries`,
      rounds: ROUNDS,
      check: ({ result }: TlAnswer<'getLibraries'>, server: LiteServer) => {
        const wanted = new Set(hashes);
        return result.flatMap(({ data }) => [...findCells(data, wanted, server.name)]);
      },
    };
    try {
      return (await this.pool.ask('getLibraries', { library_list }, request)).value;
    } catch (error) {
      if (!(error instanceof NoServerError)) throw error;
      this.options.onFailure?.(hashes, error);
      return [];
    }
  }
}

/** `workchain:hex` */
export function accountName({ workchain, address }: LackingAccount): string {
  return `${workchain}:${Buffer.from(address).toString('hex')}`;
}
