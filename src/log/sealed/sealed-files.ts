import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SegmentMissingError } from '../errors.ts';
import type { RemoteFrames } from './remote/remote-frames.ts';
import { readStub } from './remote/remote-stub.ts';
import { SealedFile } from './sealed-file.ts';
import { SealedFileError } from './sealed-file-error.ts';
import type { ValuePacking } from './value-packing.ts';

/** Open at most this many at once. */
const MAX_OPEN = 12;
/** An idle file is closed, so that one deleted by another process gives its disk space back. */
const IDLE_MS = 5_000;
const LEFTOVER = /-(\d+)\.sealed(\.tmp|\.link)?$/;
/** Added to the name of a stub whose epoch was freed: its object is deleted by the next move. */
export const FREED = '.freed';

/** What a sealed file is named after. */
interface Segment {
  readonly id: number;
  readonly topic: string;
  readonly epoch: number;
  readonly lane: number;
}

/** Where the records of a file belong that was sealed by another log. */
export interface SealedOffsets {
  /** Number of the segment in the log that sealed it. */
  readonly origin: number;
  /** Added to the offsets of the file. */
  readonly shift: number;
}

interface OpenFile {
  readonly file: SealedFile;
  usedAt: number;
}

/** The files under `sealed/`, opened when needed. */
export class SealedFiles {
  readonly folder: string;
  readonly packing: ValuePacking | null;
  /** Parts of files that are in buckets. */
  readonly frames: RemoteFrames;
  readonly #findOffsets: (id: number) => SealedOffsets | null;
  readonly #open = new Map<number, OpenFile>();

  /** `findOffsets`: of a segment that another log has sealed; null for one of this log. */
  constructor(
    directory: string,
    { packing, frames }: { readonly packing: ValuePacking | null; readonly frames: RemoteFrames },
    findOffsets: (id: number) => SealedOffsets | null,
  ) {
    this.folder = join(directory, 'sealed');
    this.packing = packing;
    this.frames = frames;
    this.#findOffsets = findOffsets;
    frames.onMissing = (path) => {
      for (const [id, { file }] of this.#open) if (file.path === path) this.#close(id);
    };
  }

  path(segment: Pick<Segment, 'topic' | 'epoch' | 'id'>): string {
    return join(this.folder, nameSealedFile(segment));
  }

  /** @throws SegmentMissingError if the file is gone, SealedFileError if it is not the file of this segment */
  read(segment: Segment): SealedFile {
    const known = this.#open.get(segment.id);
    this.#open.delete(segment.id);
    const entry = known ?? { file: this.#openFile(segment), usedAt: 0 };
    entry.usedAt = performance.now();
    this.#open.set(segment.id, entry);
    for (const id of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#close(id);
    }
    return entry.file;
  }

  #openFile(segment: Segment): SealedFile {
    const path = this.path(segment);
    if (!existsSync(path)) throw new SegmentMissingError(nameMissing(path));
    const { origin, shift } = this.#findOffsets(segment.id) ?? { origin: segment.id, shift: 0 };
    const file = SealedFile.open(path, { packing: this.packing, frames: this.frames, shift });
    try {
      requireOrigin(file, { ...segment, id: origin });
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
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
    removeSealed(this.path(segment));
  }

  /**
   * Deletes files that the directory does not name: of a sealing or a trim that died half way. Only the process that
   * holds the lock of sealing may call it: a file has its name before the directory has it.
   */
  sweep(isKnown: (id: number) => boolean): void {
    for (const name of readdirSync(this.folder)) {
      const [, id, isTemporary] = name.match(LEFTOVER) ?? [];
      if (id !== undefined && (isTemporary || !isKnown(Number(id)))) removeSealed(join(this.folder, name));
    }
  }
}

/** Name of a segment's file in the folder of sealed files. */
export function nameSealedFile({ topic, epoch, id }: Pick<Segment, 'topic' | 'epoch' | 'id'>): string {
  return `${topic}-${epoch}-${id}.sealed`;
}

/** Deletes a file, also one that was moved: first the file, then the link. The object of a stub goes with the next move. */
function removeSealed(path: string): void {
  if (hasObject(path)) {
    renameSync(path, `${path}${FREED}`);
    return;
  }
  if (existsSync(path)) rmSync(realpathSync(path), { force: true });
  rmSync(path, { force: true });
}

function hasObject(path: string): boolean {
  try {
    return readStub(path)?.isOwn ?? false;
  } catch {
    // An altered stub names nothing.
    return false;
  }
}

/** A path without a file, and where the file was moved to. */
function nameMissing(path: string): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? `${path}, a link to ${readlinkSync(path)},` : path;
}

/** Compares a file with the segment that it is read for. */
export function requireOrigin(file: SealedFile, { topic, epoch, lane, id }: Segment): void {
  const { index } = file;
  const expected = `${topic}, epoch ${epoch}, lane ${lane}, segment ${id}`;
  const found = `${index.topic}, epoch ${index.epoch}, lane ${index.lane}, segment ${index.segment}`;
  if (found !== expected) throw new SealedFileError(file.path, expected, found);
}
