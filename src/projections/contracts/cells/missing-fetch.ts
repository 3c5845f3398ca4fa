import { Readable } from 'node:stream';
import { pause } from '../../../platform/retry/poll.ts';
import { toAccountName } from '../../../ton/store/store-address.ts';
import { takeCells } from './fetch-cells.ts';
import { FetchPlan } from './fetch-plan.ts';
import {
  type CellStore,
  findMissingByAccount,
  listLackingAccounts,
  listLackingLibraries,
} from './missing-cells.ts';
import type { OfferedCell, StateOutlet } from './state-outlet.ts';

/** Accounts and libraries of an hour. */
const PER_HOUR = 10_000;
/** Accounts of one insert, and libraries of one request. */
const ACCOUNTS = 64;
const LIBRARIES = 16;
/** Accounts and libraries of one look at the index. */
const LISTED = 1_000;
/** Key of the configuration in the plan. */
const CONFIG = 'configuration';
const PAUSE_MS = 5_000;
/** The pause is at least so many times the time of a look at the index. */
const REST = 20;

/** Accounts that lack cells, and hashes of libraries (lower-case hex). */
export interface LackingItems {
  readonly accounts: readonly { readonly workchain: number; readonly address: Uint8Array }[];
  readonly libraries: readonly string[];
}

export interface OutletOptions {
  /** The newest block is asked first. */
  readonly isRepeated: boolean;
  /** Gets the error if no server has something. Keys: `workchain:hex` of an account, hash of a library. */
  readonly onFailure: (keys: readonly string[], error: Error) => void;
}

/** Servers that have what an index lacks. */
export interface CellServers {
  isReady(): boolean;
  /** True if the index begins after block 1. Called before requests: finds the block to ask at. */
  isMidChain(): Promise<boolean>;
  /** The configuration before the index, or why no server has it. */
  config(): Promise<OfferedCell | Error>;
  outlet(wanted: LackingItems, options: OutletOptions): StateOutlet;
}

export interface MissingFetchOptions {
  readonly servers: CellServers;
  /** Null if the index knows of no cells. */
  readonly openStore: () => Promise<CellStore | null>;
  /** Counts for status. */
  readonly counts: Record<'accounts' | 'libraries' | 'cells' | 'missing' | 'failed', number>;
  readonly log: { warn(facts: object, text: string): void };
  readonly signal: AbortSignal;
}

/** Fetches what an index lacks, until the signal. */
export class MissingFetch {
  private readonly options: MissingFetchOptions;
  private readonly plan = new FetchPlan(PER_HOUR);
  private hasConfig = false;
  private failure = '';

  constructor(options: MissingFetchOptions) {
    this.options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.options;
    while (!signal.aborted) {
      const lookedMs = await this.tryPass();
      const pauseMs = Math.max(PAUSE_MS, REST * lookedMs);
      await pause(pauseMs, signal, { isBackground: true });
    }
  }

  /** Returns the time of its look at the index in milliseconds. The store may be away: the same failure is logged once. */
  private async tryPass(): Promise<number> {
    const began = performance.now();
    try {
      const lookedMs = await this.pass();
      this.failure = '';
      return lookedMs;
    } catch (error) {
      const { message } = error as Error;
      if (!this.options.signal.aborted && message !== this.failure)
        this.options.log.warn({ error }, 'fetching missing cells is retried');
      this.failure = message;
      return performance.now() - began;
    }
  }

  /** Looks what the index lacks, and asks for what is due. */
  private async pass(): Promise<number> {
    const { openStore, servers, counts } = this.options;
    const began = performance.now();
    const store = servers.isReady() ? await openStore() : null;
    if (!store) return 0;
    const limit = LISTED + this.plan.failed;
    const accounts = await listLackingAccounts(store, limit);
    const libraries = await listLackingLibraries(store, limit);
    const lookedMs = performance.now() - began;
    counts.missing = accounts.length + libraries.length;
    if ((counts.missing > 0 || !this.hasConfig) && (await servers.isMidChain()) && !this.hasConfig)
      await this.fetchConfig(store);
    for (const isRepeated of [false, true]) {
      const isWanted = (key: string) => this.plan.failures(key) % 2 === (isRepeated ? 1 : 0);
      await this.fetch(store, isRepeated, {
        accounts: accounts.filter((account) => isWanted(toAccountName(account))),
        libraries: libraries.filter(isWanted),
      });
    }
    return lookedMs;
  }

  /** Fetches what is due, in batches. `isRepeated`: the newest block is asked first, because the one before the index did not help. */
  private async fetch(store: CellStore, isRepeated: boolean, lacking: LackingItems): Promise<void> {
    const { plan } = this;
    let { accounts, libraries } = lacking;
    while (!this.options.signal.aborted) {
      const now = performance.now();
      const batch = {
        accounts: plan.take(accounts, toAccountName, ACCOUNTS, now),
        libraries: plan.take(libraries, String, LIBRARIES, now),
      };
      if (batch.accounts.length + batch.libraries.length === 0) return;
      accounts = accounts.filter((account) => !batch.accounts.includes(account));
      libraries = libraries.filter((library) => !batch.libraries.includes(library));
      await this.batch(store, batch, isRepeated);
    }
  }

  private async batch(store: CellStore, wanted: LackingItems, isRepeated: boolean): Promise<void> {
    const { counts, servers } = this.options;
    const { accounts, libraries } = wanted;
    const cellsOf = accounts.length > 0 ? await findMissingByAccount(store, accounts) : null;
    const lacking = new Set([...libraries, ...[...(cellsOf?.values() ?? [])].flat()]);
    const asked = lacking.size;
    const failures = new Map<string, Error>();
    const onFailure = (keys: readonly string[], error: Error) => {
      for (const key of keys) failures.set(key, error);
    };
    await takeCells(store, lacking, servers.outlet(wanted, { isRepeated, onFailure }));
    counts.cells += asked - lacking.size;
    counts.accounts += this.note(accounts.map(toAccountName), (key) =>
      (cellsOf?.get(key) ?? []).every((hash) => !lacking.has(hash)),
    );
    counts.libraries += this.note(libraries, (key) => !lacking.has(key));
    counts.failed = this.plan.failed;
    this.report(failures);
  }

  /** Notes in the plan which keys were fetched. Returns how many. */
  private note(keys: readonly string[], isFetched: (key: string) => boolean): number {
    const now = performance.now();
    const fetched = keys.filter(isFetched);
    for (const key of keys) {
      if (isFetched(key)) this.plan.succeed(key);
      else this.plan.fail(key, now);
    }
    this.options.counts.missing -= fetched.length;
    return fetched.length;
  }

  /** Logs the first failure of each account and library, in one line for a batch. */
  private report(failures: ReadonlyMap<string, Error>): void {
    const first = [...failures].filter(([key]) => this.plan.failures(key) === 1);
    const [example] = first;
    if (!example) return;
    const facts = { count: first.length, first: example[0], cause: example[1].message };
    this.options.log.warn(facts, 'no lite server has what the index lacks; it is requested again later');
  }

  /** Fetches the configuration before the index; later ones are in its key blocks. */
  private async fetchConfig(store: CellStore): Promise<void> {
    if (this.plan.take([CONFIG], String, 1, performance.now()).length === 0) return;
    const found = await this.options.servers.config();
    if (found instanceof Error) {
      this.plan.fail(CONFIG, performance.now());
      this.report(new Map([[CONFIG, found]]));
      return;
    }
    const lacking = new Set([found.hash]);
    await takeCells(store, lacking, { cells: () => Readable.from([found]) });
    this.hasConfig = lacking.size === 0;
    this.plan.succeed(CONFIG);
    this.options.counts.cells += 1 - lacking.size;
  }
}
