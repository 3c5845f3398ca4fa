import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { INPUT } from '../../../pipelines/projections.ts';
import type { BlockIdExt } from '../../capture/block-id.ts';
import { accountName, CellsOfServers, type WantedCells } from '../../capture/liteserver/cells-of-servers.ts';
import { fetchConfig } from '../../capture/liteserver/fetch-config.ts';
import type { LiveSource } from '../../capture/liteserver/liteserver-source.ts';
import { NoServerError } from '../../capture/liteserver/server-errors.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import { readVisibleSpan } from '../../engine/watermark/visible-span.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { takeCells } from '../../projections/contracts/cells/fetch-cells.ts';
import { FetchPlan } from '../../projections/contracts/cells/fetch-plan.ts';
import {
  type CellStore,
  listLackingAccounts,
  listLackingLibraries,
  listMissingOf,
} from '../../projections/contracts/cells/missing-cells.ts';
import type { Session } from '../session.ts';
import { openCellStore } from './cell-store.ts';

/** Requests under way: servers answer 16 at once, and the head comes first. */
const AT_ONCE = 4;
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

/** An index that follows a network. */
export interface FollowedIndex {
  readonly client: StoreClient;
  readonly identity: LogIdentity;
  readonly live: LiveSource;
}

/**
 * Fetches what an index in mid-chain lacks, in the background until the session ends: the configuration, cells of accounts
 * that changed, and libraries.
 */
export function startLiveFetch(index: FollowedIndex, session: Session): void {
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const running = new LiveFetch(index, session, signal).run();
  session.shutdown.add('cells of lite servers', async () => {
    stop.abort();
    await running;
  });
}

class LiveFetch {
  private readonly index: FollowedIndex;
  private readonly log: Session['log'];
  private readonly signal: AbortSignal;
  private readonly plan = new FetchPlan(PER_HOUR);
  /** The first masterchain block of the index, and the one before it if a server has it. */
  private first: { readonly seqno: number; readonly before: BlockIdExt | null } | null = null;
  private hasConfig = false;
  private failure = '';

  constructor(index: FollowedIndex, { log }: Session, signal: AbortSignal) {
    this.index = index;
    this.log = log;
    this.signal = signal;
  }

  async run(): Promise<void> {
    const { signal } = this;
    while (!signal.aborted) {
      const lookedMs = await this.tryPass();
      const pauseMs = Math.max(PAUSE_MS, REST * lookedMs);
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
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
      if (!this.signal.aborted && message !== this.failure)
        this.log.warn({ error }, 'fetching missing cells is retried');
      this.failure = message;
      return performance.now() - began;
    }
  }

  /** Looks what the index lacks, and asks for what is due. */
  private async pass(): Promise<number> {
    const { client, identity, live } = this.index;
    const began = performance.now();
    const store = await openCellStore(client, identity);
    if (typeof store === 'string' || live.pool.best().length === 0) return 0;
    const { fetched } = live.progress;
    const limit = LISTED + this.plan.failed;
    const accounts = await listLackingAccounts(store, limit);
    const libraries = await listLackingLibraries(store, limit);
    const lookedMs = performance.now() - began;
    fetched.missing = accounts.length + libraries.length;
    const span = await readVisibleSpan(client, await servedDatabase(client, identity, INPUT));
    if (span && span.first > 1) {
      if (fetched.missing > 0 || !this.hasConfig) await this.findBefore(span.first);
      if (!this.hasConfig) await this.fetchConfig(store);
    }
    for (const isRepeated of [false, true]) {
      const isWanted = (key: string) => this.plan.failures(key) % 2 === (isRepeated ? 1 : 0);
      await this.fetch(store, isRepeated, {
        accounts: accounts.filter((account) => isWanted(accountName(account))),
        libraries: libraries.filter(isWanted),
      });
    }
    return lookedMs;
  }

  /** Fetches what is due, in batches. `isRepeated`: the newest block is asked first, because the one before the index did not help. */
  private async fetch(store: CellStore, isRepeated: boolean, lacking: WantedCells): Promise<void> {
    const { plan } = this;
    let { accounts, libraries } = lacking;
    while (!this.signal.aborted) {
      const now = performance.now();
      const batch = {
        accounts: plan.take(accounts, accountName, ACCOUNTS, now),
        libraries: plan.take(libraries, String, LIBRARIES, now),
      };
      if (batch.accounts.length + batch.libraries.length === 0) return;
      accounts = accounts.filter((account) => !batch.accounts.includes(account));
      libraries = libraries.filter((library) => !batch.libraries.includes(library));
      const blocks = this.blocks();
      await this.batch(store, batch, isRepeated ? blocks.reverse() : blocks);
    }
  }

  private async batch(store: CellStore, wanted: WantedCells, blocks: readonly BlockIdExt[]): Promise<void> {
    const { pool, progress } = this.index.live;
    const { accounts, libraries } = wanted;
    const cellsOf = accounts.length > 0 ? await listMissingOf(store, accounts) : null;
    const lacking = new Set([...libraries, ...[...(cellsOf?.values() ?? [])].flat()]);
    const asked = lacking.size;
    const failures = new Map<string, Error>();
    const onFailure = (keys: readonly string[], error: Error) => {
      for (const key of keys) failures.set(key, error);
    };
    const options = { signal: this.signal, atOnce: AT_ONCE, onFailure };
    await takeCells(store, lacking, new CellsOfServers(pool, blocks, wanted, options));
    const { fetched } = progress;
    fetched.cells += asked - lacking.size;
    fetched.accounts += this.note(accounts.map(accountName), (key) =>
      (cellsOf?.get(key) ?? []).every((hash) => !lacking.has(hash)),
    );
    fetched.libraries += this.note(libraries, (key) => !lacking.has(key));
    fetched.failed = this.plan.failed;
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
    this.index.live.progress.fetched.missing -= fetched.length;
    return fetched.length;
  }

  /** Logs the first failure of each account and library, in one line for a batch. */
  private report(failures: ReadonlyMap<string, Error>): void {
    const first = [...failures].filter(([key]) => this.plan.failures(key) === 1);
    const [example] = first;
    if (!example) return;
    const facts = { count: first.length, first: example[0], cause: example[1].message };
    this.log.warn(facts, 'no lite server has what the index lacks; it is requested again later');
  }

  /** Asks for the block before the index until a server has it. */
  private async findBefore(first: number): Promise<void> {
    if (this.first?.seqno === first && this.first.before) return;
    this.first = { seqno: first, before: await this.index.live.provenId(first - 1, this.signal) };
  }

  /** The block before the index, if a server has it, and the newest one that was read. */
  private blocks(): BlockIdExt[] {
    const { last } = this.index.live.progress;
    return [this.first?.before, last?.id].filter((id) => id !== undefined && id !== null);
  }

  /** Fetches the configuration before the index; later ones are in its key blocks. */
  private async fetchConfig(store: CellStore): Promise<void> {
    const { pool, progress } = this.index.live;
    const [block] = this.blocks();
    if (!block || this.plan.take([CONFIG], String, 1, performance.now()).length === 0) return;
    try {
      const found = await fetchConfig(pool, block, this.signal);
      const lacking = new Set([found.hash]);
      await takeCells(store, lacking, { cells: () => Readable.from([found]) });
      this.hasConfig = lacking.size === 0;
      this.plan.succeed(CONFIG);
      progress.fetched.cells += 1 - lacking.size;
    } catch (error) {
      if (!(error instanceof NoServerError)) throw error;
      this.plan.fail(CONFIG, performance.now());
      this.report(new Map([[CONFIG, error]]));
    }
  }
}
