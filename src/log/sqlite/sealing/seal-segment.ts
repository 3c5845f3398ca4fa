/**
 * Sealing of one segment. Nothing is deleted before its copy is on the disk and was read back:
 *
 *  1. `written`: some records are in the temporary file.
 *  2. `synced`: all are, and the file is on the disk.
 *  3. `compared`: some records were read back and are equal to the segment's.
 *  4. `renamed`: all are equal; the file has its name, and the name is on the disk.
 *  5. `recorded`: the log's directory names the sealed file and no longer the segment. Readers change over here.
 *  6. `freed`: the segment's own file is deleted.
 *
 * A process that dies before 5 leaves the segment as it was, and a file for the next sweep. One that dies between 5 and
 * 6 leaves the segment's file, which the next start deletes.
 */
import { renameSync, rmSync } from 'node:fs';
import { syncFolder } from '../../../platform/files/folders.ts';
import { SealedFile } from '../../sealed/sealed-file.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { requireOrigin } from '../../sealed/sealed-files.ts';
import { SealedWriter } from '../../sealed/sealed-writer.ts';
import type { StoredRow } from '../../sealed/stored-row.ts';
import { joinPositions } from '../committed-positions.ts';
import { requireIdentity } from '../identity.ts';
import type { LogStore } from '../log-store.ts';
import type { Segment } from '../segment-files.ts';
import { type SegmentRange, segmentRows } from '../stored-segments.ts';

/** What was done; the work can be interrupted after each of them. */
export type SealStep = 'written' | 'synced' | 'compared' | 'renamed' | 'recorded' | 'freed';

/** A chunk of a sealed file is read at once. */
const CHUNK_BYTES = 1 << 20;
const CHUNK_RECORDS = 4_096;
/** Version of `log.sqlite` in which runs may be in sealed files: earlier programs refuse it. */
const SEALED_VERSION = 2;

/** Extent of a sealed segment. */
interface Extent {
  readonly records: number;
  /** Ranges of its positions, both ends inclusive. */
  readonly positions: readonly { readonly first: number; readonly last: number }[];
}

/**
 * Seals a segment that gets no records any more, step by step. Nothing is changed if records were appended meanwhile.
 * @throws SealedFileError if what was read back differs
 */
export function* sealSegment(store: LogStore, segment: Segment): Generator<SealStep, void> {
  const path = store.sealed.path(segment);
  const temporary = `${path}.tmp`;
  const runs = readRuns(store, segment);
  try {
    const bytes = yield* write(store, segment, runs, temporary);
    const extent = yield* compare(store, segment, runs, temporary);
    renameSync(temporary, path);
    syncFolder(store.sealed.folder);
    yield 'renamed';
    if (!record(store, segment, runs, { ...extent, bytes })) {
      rmSync(path, { force: true });
      return;
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  yield 'recorded';
  store.segments.delete(segment);
  yield 'freed';
}

function readRuns({ log }: LogStore, { id }: Segment): SegmentRange[] {
  return log.all<SegmentRange>('SELECT first, next FROM runs WHERE segment = ? ORDER BY first', id);
}

function* write(
  store: LogStore,
  segment: Segment,
  runs: readonly SegmentRange[],
  temporary: string,
): Generator<SealStep, number> {
  const writer = new SealedWriter(temporary, store.sealed.packing);
  try {
    for (const { first, next } of runs) {
      for (let at = first; at < next; ) {
        const rows = takeChunk(store, segment, { first: at, next });
        writer.addChunk(rows);
        at += rows.length;
        yield 'written';
      }
    }
    const { topic, epoch, lane, id } = segment;
    const bytes = writer.finish({ network: requireIdentity(store).id, topic, epoch, lane, segment: id });
    yield 'synced';
    return bytes;
  } finally {
    writer.close();
  }
}

/** Records of one chunk: every offset from the first on. */
function takeChunk(store: LogStore, segment: Segment, range: SegmentRange): StoredRow[] {
  const rows: StoredRow[] = [];
  let bytes = 0;
  for (const row of segmentRows(store, { ...segment, sealed: 0 }, range)) {
    if (row.offset !== range.first + rows.length) break;
    rows.push(row);
    bytes += row.value.length;
    if (bytes >= CHUNK_BYTES || rows.length >= CHUNK_RECORDS) return rows;
  }
  const next = range.first + rows.length;
  if (next === range.next) return rows;
  throw new SealedFileError(store.segments.path(segment), `a record at offset ${next}`, 'none');
}

function* compare(
  store: LogStore,
  segment: Segment,
  runs: readonly SegmentRange[],
  temporary: string,
): Generator<SealStep, Extent> {
  const file = SealedFile.open(temporary, { packing: store.sealed.packing });
  try {
    requireOrigin(file, segment);
    const positions = new Set<number>();
    for (const { first, next } of file.index.chunks) {
      const rows = [...segmentRows(store, { ...segment, sealed: 0 }, { first, next })];
      compareRows(file, rows, { first, next });
      for (const { position } of rows) positions.add(position);
      yield 'compared';
    }
    const count = (ranges: readonly SegmentRange[]) =>
      ranges.reduce((sum, { first, next }) => sum + next - first, 0);
    const records = count(file.index.chunks);
    if (records !== count(runs)) throw new SealedFileError(temporary, `${count(runs)} records`, `${records}`);
    return { positions: joinPositions(positions), records };
  } finally {
    file.close();
  }
}

function compareRows(file: SealedFile, expected: readonly StoredRow[], { first, next }: SegmentRange): void {
  const found = [...file.rows(first, next)];
  const differing = expected.find((row, i) => !isEqual(row, found[i]));
  if (differing || found.length !== expected.length)
    throw new SealedFileError(file.path, `the record at offset ${differing?.offset ?? next}`, 'another one');
}

function isEqual({ value, ...row }: StoredRow, other: StoredRow | undefined): boolean {
  return (
    other !== undefined &&
    row.offset === other.offset &&
    row.position === other.position &&
    row.ends_step === other.ends_step &&
    row.appended_at === other.appended_at &&
    row.key === other.key &&
    row.headers === other.headers &&
    Buffer.compare(value, other.value) === 0
  );
}

/** Readers change over to the sealed file. False if the segment was freed, or got records, since it was read. */
function record(
  store: LogStore,
  segment: Segment,
  runs: readonly SegmentRange[],
  { positions, records, bytes }: Extent & { readonly bytes: number },
): boolean {
  const { log } = store;
  const { id } = segment;
  return log.transaction(() => {
    const known = log.get('SELECT 1 FROM segments WHERE id = ?', id);
    if (!known || JSON.stringify(readRuns(store, segment)) !== JSON.stringify(runs)) return false;
    nameSealed(log, segment, { positions, records, bytes });
    log.run('DELETE FROM segments WHERE id = ?', id);
    return true;
  });
}

/** Writes the row of a sealed file, and the version of `log.sqlite`; within a transaction. */
export function nameSealed(
  log: LogStore['log'],
  { id, topic, epoch, lane }: Segment,
  { positions, records, bytes }: Extent & { readonly bytes: number },
): void {
  const [first, last] = [positions[0]?.first ?? 0, positions.at(-1)?.last ?? 0];
  const row = [id, topic, epoch, lane, first, last, JSON.stringify(positions), records, bytes];
  log.run('INSERT INTO sealed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...row);
  raiseVersion(log, SEALED_VERSION);
}

/** Earlier programs refuse `log.sqlite` from now on; within a transaction. */
export function raiseVersion(log: LogStore['log'], version: number): void {
  const { user_version: found = 0 } = log.get<{ user_version: number }>('PRAGMA user_version') ?? {};
  if (found < version) log.run(`PRAGMA user_version = ${version}`);
}
