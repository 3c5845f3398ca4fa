import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '../../platform/files/private-directory.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import { decodeFrames, encodeFrame } from './frame-file.ts';

/** A shard's whole state, and the block that ended with it. */
export interface SavedState {
  readonly block: ExtBlkRef;
  readonly boc: Uint8Array;
}

/** All states after one masterchain step: the masterchain's first. */
export interface Snapshot {
  readonly mcSeqno: number;
  readonly states: readonly SavedState[];
  /** Names of all accounts that were loaded from the origin of a fork. Absent: none. */
  readonly loaded?: readonly string[];
}

/** The blocks of one step: shard blocks, then the masterchain block. */
export interface SavedStep {
  readonly mcSeqno: number;
  readonly blocks: readonly Uint8Array[];
  /** Names of accounts that the step loaded from the origin of a fork. Absent: none. */
  readonly loaded?: readonly string[];
}

const SNAPSHOT = /^snapshot-(\d+)\.bin$/;
const JOURNAL = /^journal-(\d+)\.bin$/;

/**
 * Snapshots of all states, and journals of the steps since each. A snapshot is complete or absent (written to a
 * temporary file, then renamed). A journal may end inside a step, which then does not count. A disk may take seconds to
 * make bytes durable: writes do not block the thread, and are sequential.
 */
export class StateFiles {
  private readonly directory: string;
  private journal: FileHandle | null = null;
  /** Bytes of the open journal. */
  journalBytes = 0;

  constructor(directory: string) {
    this.directory = directory;
    ensurePrivateDirectory(directory);
  }

  /** Reads a file of one value; null if there is none. */
  readValue(name: string): unknown {
    const path = join(this.directory, name);
    return existsSync(path) ? (decodeFrames(readFileSync(path))[0] ?? null) : null;
  }

  /** Writes a file of one value, whole or not at all. */
  async writeValue(name: string, value: unknown): Promise<void> {
    const [path, aside] = [join(this.directory, name), join(this.directory, `${name}.new`)];
    const file = await open(aside, 'w');
    try {
      await writeAll(file, encodeFrame(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  }

  /** Seqnos of the snapshots, ascending. */
  snapshots(): number[] {
    return this.seqnos(SNAPSHOT);
  }

  readSnapshot(mcSeqno: number): Snapshot | null {
    return this.readValue(`snapshot-${mcSeqno}.bin`) as Snapshot | null;
  }

  /** Writes a snapshot and goes on with a journal of its own. */
  async begin(snapshot: Snapshot): Promise<void> {
    await this.writeValue(`snapshot-${snapshot.mcSeqno}.bin`, snapshot);
    const journal = await open(join(this.directory, `journal-${snapshot.mcSeqno}.bin`), 'w');
    await this.closeJournal();
    this.journal = journal;
    this.journalBytes = 0;
  }

  /** Steps after `from` up to `to`, from whichever journals have them. */
  readSteps(from: number, to: number): SavedStep[] {
    const steps = new Map<number, SavedStep>();
    for (const seqno of this.seqnos(JOURNAL)) {
      const frames = decodeFrames(readFileSync(join(this.directory, `journal-${seqno}.bin`)));
      for (const step of frames as SavedStep[]) {
        if (step.mcSeqno > from && step.mcSeqno <= to) steps.set(step.mcSeqno, step);
      }
    }
    return [...steps.values()].sort((a, b) => a.mcSeqno - b.mcSeqno);
  }

  /** Appends a step and makes it durable. A failed one is removed: nothing could be read after a part of it. */
  async append(step: SavedStep): Promise<void> {
    const frame = encodeFrame(step);
    const journal = this.journal!;
    try {
      await writeAll(journal, frame, this.journalBytes);
      await journal.datasync();
    } catch (error) {
      await journal.truncate(this.journalBytes);
      throw error;
    }
    this.journalBytes += frame.length;
  }

  /** Removes snapshots and journals that `keep` refuses. */
  prune(keep: (mcSeqno: number) => boolean): void {
    for (const [pattern, kind] of [
      [SNAPSHOT, 'snapshot'],
      [JOURNAL, 'journal'],
    ] as const) {
      for (const seqno of this.seqnos(pattern)) {
        if (!keep(seqno)) rmSync(join(this.directory, `${kind}-${seqno}.bin`));
      }
    }
  }

  async closeJournal(): Promise<void> {
    const { journal } = this;
    this.journal = null;
    await journal?.close();
  }

  private seqnos(pattern: RegExp): number[] {
    const found = readdirSync(this.directory).map((name) => pattern.exec(name)?.[1]);
    return found
      .filter((seqno) => seqno !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, start = 0): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
}
