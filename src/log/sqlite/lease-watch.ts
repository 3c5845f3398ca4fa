import { LRUCache } from 'lru-cache';
import type { OwnerLocks } from './owner-locks.ts';

/** Time as the leases of the log need it. */
export interface LeaseClock {
  /** Unix time, ms. An operator or a time service may set it back. */
  readonly wall: () => number;
  /** Milliseconds of this process, which only grow. */
  readonly monotonic: () => number;
}

export const SYSTEM_CLOCK: LeaseClock = { wall: () => Date.now(), monotonic: () => performance.now() };

/** A lease as its row has it. */
export interface LeaseRow {
  /** Names what is leased. */
  readonly resource: string;
  readonly owner: string | null;
  readonly generation: number;
  /** Unix time by the owner's clock at its last renewal, ms. */
  readonly expiresAt: number;
  /** How long the owner's leases last, ms; null: an older release took it. */
  readonly sessionMs: number | null;
}

interface ObservedLease {
  /** The lease at that time: it differs after each renewal. */
  readonly lease: string;
  readonly at: number;
}

/** Older releases do not record the session: the default of `--session-ms`. */
const OLDER_SESSION_MS = 15_000;
/** Leases remembered; a forgotten one is watched from the beginning. */
const MAX_LEASES = 100_000;

/**
 * Decides when leases end. After the clock was set back, the end in the row may be hours away. So this process also
 * measures: a lease that it sees unchanged for a whole session was not renewed, and has ended.
 */
export class LeaseWatch {
  readonly #owners: Pick<OwnerLocks, 'isGone'>;
  readonly #clock: LeaseClock;
  readonly #seen = new LRUCache<string, ObservedLease>({ max: MAX_LEASES });

  constructor(owners: Pick<OwnerLocks, 'isGone'>, clock: LeaseClock) {
    this.#owners = owners;
    this.#clock = clock;
  }

  /** Unix time, ms. */
  now(): number {
    return this.#clock.wall();
  }

  /** When the lease ends, Unix time in ms; 0 if its owner's process has ended, or did not renew it for a session. */
  getEnd(row: LeaseRow): number {
    const { owner, expiresAt } = row;
    if (owner === null || expiresAt <= this.now()) return expiresAt;
    return this.#isUnrenewed(row) || this.#owners.isGone(owner) ? 0 : expiresAt;
  }

  #isUnrenewed({ resource, owner, generation, expiresAt, sessionMs }: LeaseRow): boolean {
    const at = this.#clock.monotonic();
    const lease = `${generation} ${expiresAt} ${owner}`;
    const seen = this.#seen.get(resource);
    if (seen?.lease === lease) return at - seen.at >= (sessionMs ?? OLDER_SESSION_MS);
    this.#seen.set(resource, { lease, at });
    return false;
  }
}
