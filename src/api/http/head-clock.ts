import { LRUCache } from 'lru-cache';
import type { ServeContext } from '../serve-context.ts';

/** The newest visible masterchain block and its generation time, Unix seconds. */
export interface Head {
  readonly seqno: number;
  readonly utime: number;
}

/** Heads whose time is kept: answers of the moment speak of a few. */
const MAX_HEADS = 16;

/** Knows the generation time of the newest block that answers speak of: one small query a head, however many ask. */
export class HeadClock {
  readonly #context: ServeContext;
  /** By database and seqno. */
  readonly #heads = new LRUCache<string, Promise<Head | null>>({ max: MAX_HEADS });

  constructor(context: ServeContext) {
    this.#context = context;
  }

  /** The head of the whole index; null while nothing is indexed, or after a store failure (which is logged). */
  async head(): Promise<Head | null> {
    const { base } = this.#context.vector();
    return base.state === 'served' ? this.headAt(base.visible.last) : null;
  }

  /** As `head`, of a masterchain block that answers end with. */
  async headAt(seqno: number): Promise<Head | null> {
    const { base } = this.#context.vector();
    if (base.state !== 'served') return null;
    const key = `${base.database} ${seqno}`;
    const pending = this.#heads.get(key) ?? this.#ask(base.database, seqno);
    this.#heads.set(key, pending);
    const head = await pending;
    if (!head) this.#heads.delete(key);
    return head;
  }

  async #ask(database: string, seqno: number): Promise<Head | null> {
    const { client, settings, log } = this.#context;
    try {
      const { rows } = await client.queryRows<[number]>(
        `SELECT max(gen_utime) FROM ${database}.blocks WHERE mc_seqno = {seqno:UInt32} HAVING count() > 0`,
        { params: { seqno }, route: 'serve/head-clock', timeoutMs: settings.queryTimeoutMs },
      );
      const [row] = rows;
      return row ? { seqno, utime: row[0] } : null;
    } catch (error) {
      log.warn({ seqno, error }, 'the time of the head could not be read');
      return null;
    }
  }
}

/** Lag of the head after the clock, seconds. */
export function lagSeconds(head: Head, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / 1000) - head.utime);
}
