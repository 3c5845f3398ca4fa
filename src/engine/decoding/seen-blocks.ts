import type { LogRecord } from '../../log/port.ts';

/** Dedup result of a block in its epoch: an exact copy is dropped, other bytes under the same id are an error. */
export type DedupResult = 'new' | 'duplicate' | 'changed';

/** Blocks of the store: asked once per epoch, and for blocks at or below the epoch's highest step. */
export interface StoredBlocks {
  /** The highest masterchain seqno of the epoch that has rows, below `below`; -1 if there is none. */
  highest(epoch: number, below: number): Promise<number>;
  /** Root hash (hex) of a stored block by its log key, or null. */
  rootHash(key: string, position: number): Promise<string | null>;
}

/** Number of newest keys in memory, so that a close copy is recognised before its rows are stored. */
const RECENT = 20_000;

interface EpochProgress {
  /** Steps up to here are complete: any of them that appears again is a copy. */
  done: number;
  /** The step whose blocks are being read. */
  current: number;
}

/**
 * Recognises blocks that are in the log twice: a fenced or restarted producer may repeat whole steps. Steps of an epoch
 * only grow, so a block of a new step needs no look-up.
 */
export class SeenBlocks {
  readonly #stored: StoredBlocks;
  readonly #epochs = new Map<number, EpochProgress>();
  readonly #recent = new Map<string, string>();
  #below = Number.MAX_SAFE_INTEGER;

  constructor(stored: StoredBlocks) {
    this.#stored = stored;
  }

  async check(record: LogRecord): Promise<DedupResult> {
    const progress = await this.#loadProgress(record.epoch);
    if (record.position > progress.current) {
      progress.done = Math.max(progress.done, progress.current);
      progress.current = record.position;
    }
    let known = this.#recent.get(record.key);
    if (known === undefined && record.position <= progress.done)
      known = (await this.#stored.rootHash(record.key, record.position)) ?? undefined;
    if (known === undefined) return 'new';
    return known === record.headers.root_hash ? 'duplicate' : 'changed';
  }

  /** The record's rows are part of a batch. */
  add(record: LogRecord): void {
    this.#recent.set(record.key, record.headers.root_hash ?? '');
    if (this.#recent.size > RECENT) this.#recent.delete(this.#recent.keys().next().value as string);
  }

  /** A range from `position` on is decoded again: its stored rows do not count. */
  rewind(position: number): void {
    this.#epochs.clear();
    this.#recent.clear();
    this.#below = position;
  }

  async #loadProgress(epoch: number): Promise<EpochProgress> {
    const known = this.#epochs.get(epoch);
    if (known) return known;
    const progress = { done: await this.#stored.highest(epoch, this.#below), current: -1 };
    this.#epochs.set(epoch, progress);
    return progress;
  }
}
