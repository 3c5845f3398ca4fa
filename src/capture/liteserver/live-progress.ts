import type { BlockIdExt } from '../block-id.ts';
import type { Step } from '../source.ts';

const WINDOW_MS = 10_000;

/** What this process fetched for an index that begins in mid-chain, and what the index lacks. */
export interface FetchedCounts {
  /** Accounts and libraries whose missing cells were fetched. */
  accounts: number;
  libraries: number;
  cells: number;
  /** Accounts and libraries that lacked cells at the last look, at most some thousands. */
  missing: number;
  /** Those among them that were requested in vain; they are requested again later. */
  failed: number;
}

/** The newest step that was read, and the rate of the last ten seconds. */
export class LiveProgress {
  last: { readonly id: BlockIdExt; readonly seqno: number; readonly utime: number } | null = null;
  readonly fetched: FetchedCounts = { accounts: 0, libraries: 0, cells: 0, missing: 0, failed: 0 };
  private times: number[] = [];

  note({ mcSeqno, blocks }: Step): void {
    const block = blocks.at(-1);
    if (!block) return;
    this.last = { id: block.id, seqno: mcSeqno, utime: block.header.genUtime };
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
