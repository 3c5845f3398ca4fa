import type { Snapshot, StateFiles } from './state-files.ts';

/** A snapshot is made when the journal has this many bytes or steps. */
const SNAPSHOT_BYTES = 32_000_000;
const SNAPSHOT_STEPS = 5_000;

/** Writes snapshots now and then, so that a start reads few steps. */
export class Snapshots {
  private readonly files: StateFiles;
  private at = 0;

  constructor(files: StateFiles) {
    this.files = files;
  }

  async write(snapshot: Snapshot): Promise<void> {
    await this.files.begin(snapshot);
    this.at = snapshot.mcSeqno;
  }

  /** The step is already stored: a failed snapshot must not undo it. @returns the reason of a failure, or null */
  async writeIfDue(mcSeqno: number, make: () => Snapshot): Promise<string | null> {
    const before = this.at;
    if (this.files.journalBytes <= SNAPSHOT_BYTES && mcSeqno - before < SNAPSHOT_STEPS) return null;
    try {
      await this.write(make());
      // The log may end slightly earlier: the previous snapshot with its journal is kept for that.
      this.files.prune((seqno) => seqno >= before);
      return null;
    } catch (error) {
      return String(error);
    }
  }
}
