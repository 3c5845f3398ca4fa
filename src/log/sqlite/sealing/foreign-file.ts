import { setImmediate } from 'node:timers/promises';
import type { SealedRange } from '../../port.ts';
import { SealedFile } from '../../sealed/sealed-file.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { joinPositions } from '../committed-positions.ts';
import { requireIdentity } from '../identity.ts';
import type { LogStore } from '../log-store.ts';
import type { Segment } from '../segment-files.ts';
import type { SegmentRange } from '../stored-segments.ts';
import { findSealed } from './sealed-place.ts';

/** A sealed file of another log. */
export interface ForeignFile {
  /** The segment that it was, in that log. */
  readonly segment: Segment;
  readonly positions: readonly { readonly first: number; readonly last: number }[];
  /** Its offsets there. */
  readonly runs: readonly SegmentRange[];
  readonly records: number;
  readonly bytes: number;
}

/**
 * Reads a sealed file of another log to its end, and compares every byte with the checksums.
 * @throws SealedFileError if the file is damaged, is of another network, or is of another lane here
 */
export async function readForeign(store: LogStore, path: string): Promise<ForeignFile> {
  const { id: network, lanes } = requireIdentity(store);
  const file = SealedFile.open(path, store.sealed);
  try {
    const { topic, epoch, lane, segment: id, chunks, network: other } = file.index;
    if (other !== network) throw new SealedFileError(path, `a file of the network ${network}`, other);
    if (lane !== epoch % lanes)
      throw new SealedFileError(path, `lane ${epoch % lanes} of ${lanes}`, `${lane}`);
    const positions = new Set<number>();
    let records = 0;
    for (const { first, next } of chunks) {
      const found = await store.sealed.frames.run(() =>
        Array.from(file.rows(first, next), ({ position }) => position),
      );
      for (const position of found) positions.add(position);
      records += found.length;
      // Leases are renewed, and others append and read, between the chunks.
      await setImmediate();
    }
    return {
      segment: { id, topic, epoch, lane },
      positions: joinPositions(positions),
      runs: joinRuns(chunks),
      records,
      bytes: file.bytes,
    };
  } finally {
    file.close();
  }
}

function joinRuns(chunks: readonly SegmentRange[]): readonly SegmentRange[] {
  const runs: { first: number; next: number }[] = [];
  for (const { first, next } of chunks) {
    const before = runs.at(-1);
    if (before?.next === first) before.next = next;
    else runs.push({ first, next });
  }
  return runs;
}

/**
 * True if the log has a file with the same records already.
 * @throws SealedFileError, SegmentMissingError if a file of the epoch that the log has cannot be read
 */
export function hasFile({ log, sealed }: LogStore, path: string): boolean {
  const file = SealedFile.open(path, sealed);
  try {
    const { topic, epoch } = file.index;
    const known = log.all<Segment>(
      'SELECT id, topic, epoch, lane FROM sealed WHERE topic = ? AND epoch = ? ORDER BY id',
      topic,
      epoch,
    );
    return known.some((segment) => sealed.read(segment).sum === file.sum);
  } finally {
    file.close();
  }
}

/** What was taken, as the log lists it. */
export function toSealedRange(
  id: number,
  { segment, positions, records, bytes }: ForeignFile,
  path: string,
): SealedRange {
  return {
    id,
    epoch: segment.epoch,
    first: positions[0]?.first ?? 0,
    last: positions.at(-1)?.last ?? 0,
    records,
    bytes,
    folder: findSealed(path),
  };
}
