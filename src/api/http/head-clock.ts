import type { ServeContext } from '../serve-context.ts';

/** The newest visible masterchain block and its generation time, Unix seconds. */
export interface Head {
  readonly seqno: number;
  readonly utime: number;
}

/** Remembers the generation time of the head: one small query when the head moves, however many requests ask. */
export class HeadClock {
  private readonly context: ServeContext;
  private known: Head | null = null;
  private asked: { readonly seqno: number; readonly head: Promise<Head | null> } | null = null;

  constructor(context: ServeContext) {
    this.context = context;
  }

  /** The present head; null while nothing is indexed, or where the store failed (which is logged). */
  async head(): Promise<Head | null> {
    const seqno = this.context.visible()?.last;
    if (seqno === undefined) return null;
    if (this.known?.seqno === seqno) return this.known;
    if (this.asked?.seqno !== seqno) this.asked = { seqno, head: this.ask(seqno) };
    return this.asked.head;
  }

  private async ask(seqno: number): Promise<Head | null> {
    try {
      const { rows } = await this.context.client.queryRows<[number]>(
        `SELECT max(gen_utime) FROM ${this.context.baseDatabase()}.blocks WHERE mc_seqno = {seqno:UInt32} HAVING count() > 0`,
        {
          params: { seqno },
          route: 'serve/head-clock',
          timeoutMs: this.context.settings.queryTimeoutMs,
        },
      );
      const [row] = rows;
      this.known = row ? { seqno, utime: row[0] } : null;
      return this.known;
    } catch (error) {
      this.asked = null;
      this.context.log.warn({ seqno, error }, 'the time of the head could not be read');
      return null;
    }
  }
}

/** Seconds that the head is behind the clock. */
export function lagSeconds(head: Head, nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / 1000) - head.utime);
}
