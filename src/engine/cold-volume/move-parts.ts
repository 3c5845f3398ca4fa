import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { HeldParts } from '../../platform/clickhouse/embedded/held-parts.ts';
import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import { poll } from '../../platform/retry/poll.ts';

const route = 'cold-volume/move';
/** Parts whose originals take space until their copies are on the disk. */
const MAX_HELD = 64;
const POLL_INTERVAL_MS = 200;

/** A part of a table, on some volume. */
export interface Part {
  readonly database: string;
  readonly table: string;
  readonly name: string;
  /** Its folder. */
  readonly path: string;
}

/** Moves parts between volumes. The originals of an embedded store are held until the copies are on the disk. */
export class PartMover {
  readonly client: StoreClient;
  readonly #held: HeldParts | null;

  constructor(client: StoreClient) {
    this.client = client;
    this.#held = client.directory === null ? null : new HeldParts(client.directory);
  }

  /** Answers how many parts moved. A part that a merge uses is left to the next call. */
  async move(parts: readonly Part[], volume: string, signal: AbortSignal): Promise<number> {
    let moved = 0;
    for (let at = 0; at < parts.length; at += MAX_HELD) {
      // Of a call that failed.
      await this.#releaseHeld(signal);
      for (const part of parts.slice(at, at + MAX_HELD)) {
        signal.throwIfAborted();
        if (await this.#movePart(part, volume, signal)) moved += 1;
      }
      await this.#releaseHeld(signal);
    }
    return moved;
  }

  async #movePart(
    { database, table, name, path }: Part,
    volume: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (this.#held?.hold(path) === false) return false;
    try {
      await this.client.command(
        `ALTER TABLE ${database}.${table} MOVE PART '${name}' TO VOLUME '${volume}'`,
        {
          route,
          signal,
        },
      );
      return true;
    } catch (error) {
      if (!isOfOnePart(error)) throw error;
      return false;
    }
  }

  async #releaseHeld(signal: AbortSignal): Promise<void> {
    if (!this.#held || this.#held.isEmpty) return;
    // The server goes on with a move whose statement failed.
    await poll(async () => (await this.#countMoves()) === 0, { everyMs: POLL_INTERVAL_MS, signal });
    await this.client.flush();
    this.#held.release();
  }

  async #countMoves(): Promise<number> {
    const { rows } = await this.client.queryRows<[string]>('SELECT count() FROM system.moves', { route });
    return Number(rows[0]?.[0]);
  }
}

/** A merge or the server's own move has the part (PART_IS_TEMPORARILY_LOCKED), or it is merged away (NO_SUCH_DATA_PART). */
const BUSY_PART_CODES: ReadonlySet<number> = new Set([384, 232]);

function isOfOnePart(error: unknown): boolean {
  return error instanceof StoreError && BUSY_PART_CODES.has(error.code);
}
