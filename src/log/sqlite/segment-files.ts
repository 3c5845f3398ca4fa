import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../platform/files/folders.ts';
import { type FileSchema, SqliteFile } from './sqlite-file.ts';

/** Open at most this many at once: a replay of all history walks through hundreds. */
const MAX_OPEN = 12;
/** An idle file is closed, so that one deleted by another process gives its disk space back. */
const IDLE_MS = 5_000;

/** The raw data of one epoch. The epoch's lane is fixed, so the offset is a sufficient key. */
const SEGMENT_SCHEMA: FileSchema = {
  version: 1,
  create: `
    CREATE TABLE records (
      offset INTEGER PRIMARY KEY, position INTEGER NOT NULL, ends_step INTEGER NOT NULL,
      appended_at INTEGER NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL, value BLOB NOT NULL
    );
    CREATE TABLE fence (id INTEGER PRIMARY KEY CHECK (id = 0), generation INTEGER NOT NULL);
    INSERT INTO fence VALUES (0, 0);
  `,
};

/** A row of the segment directory in `log.sqlite`. Ids are never used twice, so neither are file names. */
export interface Segment {
  readonly id: number;
  readonly topic: string;
  readonly epoch: number;
  readonly lane: number;
}

interface OpenSegment {
  readonly file: SqliteFile;
  usedAt: number;
}

/** The files under `segments/`, opened when needed. */
export class SegmentFiles {
  readonly #folder: string;
  readonly #open = new Map<number, OpenSegment>();

  constructor(directory: string) {
    this.#folder = join(directory, 'segments');
  }

  path(segment: Segment): string {
    return join(this.#folder, `${segment.topic}-${segment.epoch}-${segment.id}.sqlite`);
  }

  /** Opens a published segment; throws `SegmentMissingError` where its file is gone. */
  read(segment: Segment): SqliteFile {
    return this.#take(segment, false);
  }

  /** Opens a segment for a writer, which may be the first to touch it. */
  write(segment: Segment): SqliteFile {
    return this.#take(segment, true);
  }

  #take(segment: Segment, create: boolean): SqliteFile {
    const known = this.#open.get(segment.id);
    this.#open.delete(segment.id);
    const entry = known ?? { file: this.#openFile(segment, create), usedAt: 0 };
    entry.usedAt = performance.now();
    // The map's order is the order of use: the first key is the one to close.
    this.#open.set(segment.id, entry);
    for (const id of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#close(id);
    }
    return entry.file;
  }

  #openFile(segment: Segment, create: boolean): SqliteFile {
    const file = SqliteFile.open(this.path(segment), SEGMENT_SCHEMA, create);
    // A new file name must survive a power cut like the data: published data must have a file.
    if (create) syncFolder(this.#folder);
    return file;
  }

  #close(id: number): void {
    const entry = this.#open.get(id);
    this.#open.delete(id);
    entry?.file.close();
  }

  closeIdle(): void {
    const limit = performance.now() - IDLE_MS;
    for (const [id, { usedAt }] of this.#open) if (usedAt < limit) this.#close(id);
  }

  closeAll(): void {
    for (const id of this.#open.keys()) this.#close(id);
  }

  delete(segment: Segment): void {
    this.#close(segment.id);
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.path(segment) + suffix, { force: true });
  }

  /**
   * Deletes files that the directory does not name: leftovers of a trim that died half way. `isKnown` is asked
   * after the folder was listed, and a segment is registered before its file is made: no live file can go.
   */
  sweep(isKnown: (id: number) => boolean): void {
    for (const name of readdirSync(this.#folder)) {
      const id = name.match(/-(\d+)\.sqlite(?:-wal|-shm)?$/)?.[1];
      if (id !== undefined && !isKnown(Number(id))) rmSync(join(this.#folder, name), { force: true });
    }
  }
}
