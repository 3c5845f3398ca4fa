import type { Step } from '../source.ts';

const WINDOW_MS = 10_000;

/** The newest step that was read, and the rate of the last ten seconds. */
export class LiveProgress {
  last: { readonly seqno: number; readonly utime: number } | null = null;
  private times: number[] = [];

  note({ mcSeqno, blocks }: Step): void {
    const block = blocks.at(-1);
    if (!block) return;
    this.last = { seqno: mcSeqno, utime: block.header.genUtime };
    const now = performance.now();
    this.times.push(now);
    if (this.times.length > 4096) this.times = this.times.filter((time) => time > now - WINDOW_MS);
  }

  /** Masterchain blocks per second. */
  rate(): number {
    const from = performance.now() - WINDOW_MS;
    this.times = this.times.filter((time) => time > from);
    return (this.times.length / WINDOW_MS) * 1000;
  }
}
