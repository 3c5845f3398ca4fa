import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { ChangeNotice } from '../../platform/files/change-notice.ts';
import { pointerNotice } from './pointer-notice.ts';
import { NO_POINTER, type Pointer, type Pointers, readPointers } from './projection-pointer.ts';

/**
 * Followers share a poll that is not older, milliseconds: one that asks every second learns of a move before its moment,
 * which is two seconds later (`ANNOUNCE_MS`).
 */
const SHARED_MS = 600;
/** The same without a notice, in a store of this machine: for moves by other means. */
const QUIET_MS = 5_000;
/** Time after a notice during which polls stay frequent: the notice comes before the write, and again after it. */
const MOVING_MS = 10_000;

/** The pointers of a network's projections, read once for all who follow them. */
export class PointerWatch {
  readonly #client: StoreClient;
  readonly #network: string;
  readonly #notice: ChangeNotice | null;
  #poll: { readonly at: number; readonly pointers: Promise<Pointers> } | null = null;

  constructor(client: StoreClient, network: string) {
    this.#client = client;
    this.#network = network;
    this.#notice = pointerNotice(client, network);
  }

  /** A projection's pointer, at most `SHARED_MS` old, or `QUIET_MS` if moves are announced. */
  async of(projection: string): Promise<Pointer> {
    const at = performance.now();
    if (!this.#poll || at - this.#poll.at > this.#oldest) {
      const pointers = readPointers(this.#client, this.#network);
      this.#poll = { at, pointers };
      // The next follower asks again.
      pointers.catch(() => {
        this.#poll = null;
      });
    }
    const pointers = await this.#poll.pointers;
    return applyAnnounced(pointers.get(projection) ?? NO_POINTER, performance.now());
  }

  get #oldest(): number {
    // A clock that was set back makes it a move that is still under way.
    const isQuiet = this.#notice !== null && Date.now() - this.#notice.notifiedAt > MOVING_MS;
    return isQuiet ? QUIET_MS : SHARED_MS;
  }
}

/** The current pointer from an earlier read: an announced version is served from its moment on. */
function applyAnnounced(pointer: Pointer, now: number): Pointer {
  const { next } = pointer;
  return next && next.at <= now ? { version: next.version, next: null } : pointer;
}
