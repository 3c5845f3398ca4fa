import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { makeFolders, syncFolder } from '../../../platform/files/folders.ts';
import type { SealedRange } from '../../port.ts';
import { readStub, writeStub } from '../../sealed/remote/remote-stub.ts';
import { SealedFile } from '../../sealed/sealed-file.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { joinPositions } from '../committed-positions.ts';
import { requireIdentity } from '../identity.ts';
import type { LogStore } from '../log-store.ts';
import type { Segment } from '../segment-files.ts';
import type { SegmentRange } from '../stored-segments.ts';
import { ensureTopic } from '../topics.ts';
import { nameSealed } from './seal-segment.ts';
import { findSealed } from './sealed-place.ts';

/**
 * Takes a sealed file of another log of the same network into this one, with its offsets. Every byte is read and compared
 * with the checksums first. The other log keeps its file: the new name is a hard link, or a copy on another file system. Of a
 * file in a bucket it is another stub.
 * @throws SealedFileError if the file is damaged, is of another network, or has offsets that this log has already
 */
export async function adoptSealed(store: LogStore, path: string): Promise<SealedRange> {
  const found = await readWhole(store, path);
  const { segment, positions, records, bytes } = found;
  if (store.log.get('SELECT 1 FROM sealed WHERE id = ?', segment.id))
    throw new SealedFileError(path, 'a file that the log does not have', `number ${segment.id} again`);
  makeFolders(store.sealed.folder);
  const target = store.sealed.path(segment);
  linkOrCopy(path, target);
  syncFolder(store.sealed.folder);
  try {
    record(store, path, found);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
  const { id, epoch } = segment;
  return {
    id,
    epoch,
    first: positions[0]?.first ?? 0,
    last: positions.at(-1)?.last ?? 0,
    records,
    bytes,
    folder: findSealed(target),
  };
}

interface WholeFile {
  readonly segment: Segment;
  readonly positions: readonly { readonly first: number; readonly last: number }[];
  readonly runs: readonly SegmentRange[];
  readonly records: number;
  readonly bytes: number;
}

async function readWhole(store: LogStore, path: string): Promise<WholeFile> {
  const { id: network, lanes } = requireIdentity(store);
  const file = SealedFile.open(path, store.sealed.packing, store.sealed.frames);
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
    }
    const segment = { id, topic, epoch, lane };
    return {
      segment,
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

function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true });
  const stub = readStub(realpathSync(from));
  // The other log has the object too.
  if (stub) {
    writeStub(to, { ...stub, isOwn: false });
    return;
  }
  try {
    linkSync(from, to);
    return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
  }
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** The log's directory names the file. Records that are appended later get offsets after it. */
function record(store: LogStore, path: string, found: WholeFile): void {
  const { log } = store;
  const { segment, positions, runs, records, bytes } = found;
  const { id, topic, lane } = segment;
  ensureTopic(store, topic, 'steps');
  log.transaction(() => {
    for (const { first, next } of runs) {
      const taken = log.get(
        'SELECT 1 FROM runs WHERE topic = ? AND lane = ? AND first < ? AND next > ?',
        ...[topic, lane, next, first],
      );
      if (taken)
        throw new SealedFileError(
          path,
          `offsets ${first} to ${next - 1} that no other file has`,
          'a second one',
        );
      log.run('INSERT INTO runs VALUES (?, ?, ?, ?, ?)', topic, lane, first, next, id);
      log.run('UPDATE lanes SET next = max(next, ?) WHERE topic = ? AND lane = ?', next, topic, lane);
    }
    nameSealed(log, segment, { positions, records, bytes });
    reserveId(log, id);
  });
}

/** Segments that are made later have other numbers. */
function reserveId(log: LogStore['log'], id: number): void {
  const known = log.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'segments'");
  if (!known) log.run("INSERT INTO sqlite_sequence VALUES ('segments', ?)", id);
  else if (known.seq < id) log.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'segments'", id);
}
