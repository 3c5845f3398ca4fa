import { pollFor } from '../../platform/retry/poll.ts';
import { type Head, HeadClock, lagSeconds } from '../http/head-clock.ts';
import type { ServeContext } from '../serve-context.ts';
import { type ProjectionName, ProjectionUnavailableError, resolveReads } from '../version-vector.ts';
import { STREAMED } from './stream.ts';
import type { StreamServer } from './stream-server.ts';

/** Health of a part of streaming; times in Unix seconds. Ages and times that it does not have are absent. */
export interface ComponentHealth {
  readonly ok: boolean;
  readonly error?: string;
  /** Time without existing blocks, or without a read, seconds; 0 if it has everything. */
  readonly age_seconds?: number;
  /** The newest masterchain block that it has, and how old that is, whether there is a newer one or not. */
  readonly last_finalized_mc_block_time?: number;
  readonly finalized_age_seconds?: number;
  readonly last_heartbeat?: number;
}

export interface StreamingHealth {
  readonly ok: boolean;
  readonly now: number;
  readonly components: Readonly<Record<string, ComponentHealth>>;
}

/** A part without news for longer is unhealthy, seconds (streaming.md 1). */
const MAX_SILENT_S = 15;
/** Lanes that rested catch up when they are asked: a part that is late is looked at again, every so many ms, for so long. */
const POLL_INTERVAL_MS = 400;
const PATIENCE_MS = 4_000;

/** Projections that each part reads; the names are the contract's. */
const READS = {
  'ton-trace-emulator': ['base', 'traces'],
  'event-classifier': ['base', 'traces', 'contracts'],
} as const satisfies Record<string, readonly ProjectionName[]>;
const TRACKER = 'ton-trace-ttl-tracker';

/**
 * Reports the health of streams, from each part's blocks compared with the existing ones. Parts that the server lacks
 * are not listed.
 */
export class StreamingHealthCheck {
  readonly #context: ServeContext;
  readonly #streams: StreamServer;
  readonly #clock: HeadClock;

  constructor(context: ServeContext, streams: StreamServer) {
    this.#context = context;
    this.#streams = streams;
    this.#clock = new HeadClock(context);
  }

  async measure(): Promise<StreamingHealth> {
    let health: StreamingHealth;
    const measure = async () => {
      health = await this.#measureOnce();
      return !Object.values(health.components).some(isLate);
    };
    await pollFor(measure, PATIENCE_MS, { everyMs: POLL_INTERVAL_MS });
    return health!;
  }

  async #measureOnce(): Promise<StreamingHealth> {
    const hasStore = await this.#context.client.ping();
    if (hasStore) await this.#context.freshen?.(STREAMED);
    const now = Math.floor(Date.now() / 1_000);
    const listed = Object.entries(READS).filter(([, reads]) => this.#has(reads));
    const parts = listed.map(async ([name, reads]) => {
      const health = hasStore ? await this.#assembly(reads) : failed('the store is away');
      return [name, health] as const;
    });
    const components = Object.fromEntries([...(await Promise.all(parts)), ...this.#tracker(now)]);
    const isServed = this.#context.vector().base.state === 'served';
    const ok = hasStore && isServed && Object.values(components).every((one) => one.ok);
    return { ok, now, components };
  }

  #has(reads: readonly ProjectionName[]): boolean {
    const vector = this.#context.vector();
    if (reads.includes('contracts') && !this.#context.classifyTrace) return false;
    return reads.every((name) => vector[name].state !== 'off');
  }

  /** A part that follows blocks: its news are the blocks that there are. */
  async #assembly(reads: readonly ProjectionName[]): Promise<ComponentHealth> {
    const reached = this.#reached(reads);
    if (typeof reached === 'string') return failed(reached);
    const [head, newest] = await Promise.all([this.#clock.headAt(reached), this.#newest()]);
    const lacks = await this.#lacks(reached, newest);
    if (!head || lacks === null) return failed(`the time of masterchain block ${reached} could not be read`);
    const silent = this.#streams.silentSeconds(reads);
    const age = Math.max(lacks, silent);
    const error =
      lacks >= silent
        ? `reaches masterchain block ${reached}, the chain ${newest?.seqno}: nothing new for ${age} s`
        : `no events could be read for ${age} s`;
    return {
      ...healthOfAge(age, error),
      last_finalized_mc_block_time: head.utime,
      finalized_age_seconds: lagSeconds(head, Date.now()),
    };
  }

  /** The last masterchain block that all have, or why there is none. */
  #reached(reads: readonly ProjectionName[]): number | string {
    try {
      return resolveReads(this.#context.vector(), reads).visible.last;
    } catch (error) {
      if (error instanceof ProjectionUnavailableError) return error.message;
      throw error;
    }
  }

  /** The newest existing block: from the source if it reports one, else from the index. */
  async #newest(): Promise<Head | null> {
    const view = await this.#context.chain?.states?.view(null, null);
    return view ? { seqno: view.block.seqno, utime: view.utime } : this.#clock.head();
  }

  /**
   * Chain time in seconds between the oldest missing block and the newest: a chain that makes no blocks has no news,
   * and neither has an ended source. null if they are unreadable.
   */
  async #lacks(reached: number, newest: Head | null): Promise<number | null> {
    if (!newest) return null;
    if (reached >= newest.seqno) return 0;
    const lacked = (await this.#utimeAt(reached + 1)) ?? (await this.#utimeAt(reached));
    return lacked === null ? null : Math.max(0, newest.utime - lacked);
  }

  async #utimeAt(seqno: number): Promise<number | null> {
    const { base } = this.#context.vector();
    if (base.state === 'served' && seqno <= base.visible.last)
      return (await this.#clock.headAt(seqno))?.utime ?? null;
    return (await this.#context.chain?.states?.view(null, seqno))?.utime ?? null;
  }

  /**
   * Invalidates pending traces that never arrive, if the source knows pending messages; works while it has receivers.
   */
  #tracker(now: number): (readonly [string, ComponentHealth])[] {
    if (!this.#context.chain?.pending) return [];
    const silent = this.#streams.pendingSilentSeconds;
    if (silent === null) return [[TRACKER, { ok: true }]];
    const health = healthOfAge(silent, `what is pending could not be read for ${silent} s`);
    return [[TRACKER, { ...health, last_heartbeat: now - silent }]];
  }
}

function failed(error: string): ComponentHealth {
  return { ok: false, error };
}

function healthOfAge(age: number, error: string): ComponentHealth {
  return age > MAX_SILENT_S ? { ok: false, error, age_seconds: age } : { ok: true, age_seconds: age };
}

/** Whether it may be well in a moment. */
function isLate({ ok, age_seconds: age }: ComponentHealth): boolean {
  return !ok && age !== undefined;
}
