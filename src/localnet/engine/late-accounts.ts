import type { Cell } from '../../ton/cell/cell.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import { splitAccount } from '../collate/intervene/account-parts.ts';
import type { AccountLoad } from '../collate/intervene/intervention.ts';
import type { OwnAccounts } from '../fork/read-fork.ts';
import { libraryPublisher } from '../genesis/forked-accounts.ts';
import { genesisEntry } from '../genesis/genesis-account.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { contains } from '../ledger/routing.ts';

/** An account as the origin of a fork has it. */
export interface FetchedAccount {
  readonly address: AccountAddress;
  /** Bag of the Account; null if the origin has none. */
  readonly account: Uint8Array | null;
  /** Bags of the libraries that the account names. */
  readonly libraries: readonly Uint8Array[];
}

/** An account that waits until its libraries are public. */
interface HeldAccount extends AccountLoad {
  readonly libraries: readonly Uint8Array[];
}

/** Accounts that one step loads, and that are fetched for its messages. */
const MAX_AT_ONCE = 64;

/**
 * Accounts of a chain that is forked from another network and loads them when they are needed. The state of an account is
 * decided if the chain has it or had it, if it is one of the chain's own, or if the origin has no such account.
 */
export class LateAccounts {
  private readonly own: OwnAccounts;
  private readonly absent = new Set<string>();
  /** Loaded accounts and the masterchain blocks that loaded them. An account that ended since is not loaded again. */
  private readonly loaded: Map<string, number>;
  private readonly queued = new Set<string>();
  private held: HeldAccount[] = [];

  /** `loaded`: names of the accounts that the chain has loaded before. */
  constructor(own: OwnAccounts, loaded: Iterable<string>) {
    this.own = own;
    this.loaded = new Map([...loaded].map((name) => [name, 0]));
  }

  /** True if messages may be delivered to an account. The chain has no other workchains than 0 and -1. */
  isKnown({ masterchain, shards }: ChainState, account: AccountAddress): boolean {
    if (account.workchain !== 0 && account.workchain !== -1) return true;
    const name = toAccountName(account);
    if (this.own.has(name) || this.absent.has(name) || this.loaded.has(name)) return true;
    const ledger = [masterchain, ...shards].find(({ ident }) => contains(ident, account));
    return ledger?.accounts.get(account.address) !== undefined;
  }

  /** Accounts that the messages on their way need. */
  missing(chain: ChainState): AccountAddress[] {
    const found = new Map<string, AccountAddress>();
    for (const { queue } of [chain.masterchain, ...chain.shards])
      for (const [, { message }] of queue.entries()) {
        if (found.size >= MAX_AT_ONCE) return [...found.values()];
        const name = toAccountName(message.dest);
        if (!this.queued.has(name) && !this.isKnown(chain, message.dest)) found.set(name, message.dest);
      }
    return [...found.values()];
  }

  /** Takes fetched accounts: the next steps load them. @throws BocError, CellError nothing is taken */
  take(fetched: readonly FetchedAccount[], chain: ChainState): void {
    const read = fetched.map(({ address, account, libraries }) => {
      const origin = account && readCell(account);
      // A step that could not read it would fail for ever.
      if (origin) splitAccount(origin);
      return { account: address, origin, libraries };
    });
    for (const { account, origin, libraries } of read) {
      const name = toAccountName(account);
      if (this.queued.has(name) || this.isKnown(chain, account)) continue;
      if (origin === null) this.absent.add(name);
      else this.hold({ kind: 'load', account, origin, libraries });
    }
  }

  /** The loads of the next step: a library is public only in steps after the one that publishes it. */
  due({ masterchain }: ChainState): AccountLoad[] {
    const { utime } = masterchain;
    const isPublic = (cell: Cell) => masterchain.libraries.get(cell.hash()) !== undefined;
    const loads: AccountLoad[] = [];
    const held: HeldAccount[] = [];
    for (const [at, one] of this.held.entries()) {
      const { libraries, ...load } = one;
      const lacking = libraries.map((bag) => readCell(bag)).filter((cell) => !isPublic(cell));
      if (loads.length >= MAX_AT_ONCE) return this.keep([...held, ...this.held.slice(at)], loads);
      if (lacking.length === 0) loads.push(load);
      else held.push(one);
      for (const cell of lacking) {
        const publisher = libraryPublisher([cell], cell.hash());
        if (this.queued.has(toAccountName(publisher.address))) continue;
        this.queued.add(toAccountName(publisher.address));
        const { account: origin } = genesisEntry(publisher, utime);
        loads.push({ kind: 'load', account: publisher.address, origin });
      }
    }
    return this.keep(held, loads);
  }

  /** Takes note of loads that a step has done. */
  done(names: readonly string[], mcSeqno: number): void {
    for (const name of names) {
      this.loaded.set(name, mcSeqno);
      this.queued.delete(name);
    }
  }

  /** The masterchain block that loaded an account in this process; 0 for another. */
  loadedAt(account: AccountAddress): number {
    return this.loaded.get(toAccountName(account)) ?? 0;
  }

  /** Names of all loaded accounts. */
  names(): string[] {
    return [...this.loaded.keys()];
  }

  private hold(one: HeldAccount): void {
    this.queued.add(toAccountName(one.account));
    this.held.push(one);
  }

  private keep(held: HeldAccount[], loads: AccountLoad[]): AccountLoad[] {
    this.held = held;
    return loads;
  }
}
