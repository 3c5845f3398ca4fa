import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/observability/log.ts';
import type { AbsentBlockError } from '../chain/chain-steps.ts';
import { ArchiveShelf } from './archive-shelf.ts';
import { describePartial } from './pack-entries.ts';
import { PackError } from './pack-error.ts';
import { groupOfSeqno } from './pack-groups.ts';
import type { PackIndex } from './pack-index.ts';

/** How an archive is followed that a node is still writing. */
export interface FollowOptions {
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Milliseconds between two lists of the folder. Default 500. */
  readonly pollMs?: number;
}

const POLL_INTERVAL_MS = 500;
/** Pauses are at least this many times as long as a list of the folder took: it may have 100,000 packages. */
const PAUSE_FACTOR = 10;
/** A block that is missing for so many polls is named in the log. */
const WARN_POLLS = 20;
/** The last groups may get blocks that are missing in them. Of an older one, a missing block is an error. */
const OPEN_GROUPS = 2;

/** The blocks of an archive that grows. Its end is not final. */
export class GrowingShelf extends ArchiveShelf {
  private readonly log: FollowOptions['log'];
  private readonly pollMs: number;
  private nextPoll = 0;
  /** The masterchain block that is waited for, and the polls since then. */
  private awaited: { readonly seqno: number | null; polls: number } = { seqno: null, polls: 0 };

  constructor(packs: PackIndex, { log, pollMs = POLL_INTERVAL_MS }: FollowOptions) {
    super(packs);
    this.log = log;
    this.pollMs = pollMs;
  }

  /** Lists the folder again, after a pause. A missing block is an error if it is of a group that is not written any more. */
  async more(seqno: number | null, absent: AbsentBlockError | null, signal: AbortSignal): Promise<boolean> {
    if (this.awaited.seqno !== seqno) this.awaited = { seqno, polls: 0 };
    const polls = this.awaited.polls++;
    if (absent && polls > 0) await this.failIfOld(seqno ?? 0, absent);
    if (absent && polls === WARN_POLLS) this.log.warn({}, `${absent.message}; waiting for it`);
    if (seqno === null && polls === 1)
      this.log.info({}, 'the archive has no masterchain block yet; waiting for the first one');
    if (!(await this.pause(signal))) return false;
    await this.refresh();
    return !signal.aborted;
  }

  private async refresh(): Promise<void> {
    const began = performance.now();
    const number = this.packs.folder.groups[this.current]?.number ?? 0;
    await this.packs.refresh();
    this.current = groupOfSeqno(this.packs.folder, number);
    const ended = performance.now();
    this.nextPoll = ended + Math.max(this.pollMs, PAUSE_FACTOR * (ended - began));
  }

  /** Returns false after a stop. */
  private async pause(signal: AbortSignal): Promise<boolean> {
    try {
      const left = this.nextPoll - performance.now();
      if (left > 0) await sleep(left, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return !signal.aborted;
  }

  private async failIfOld(seqno: number, absent: AbsentBlockError): Promise<void> {
    const { folder } = this.packs;
    const home = groupOfSeqno(folder, seqno);
    if (home >= folder.groups.length - OPEN_GROUPS) return;
    const cut = (await this.group(home))?.partial[0];
    if (cut) throw new PackError('truncated', cut, describePartial(cut), { cause: absent });
    throw absent;
  }
}
