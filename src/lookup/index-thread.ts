/** The thread that writes the files of the look-up index: answers are never behind a write. */
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import { serveJobs } from '../platform/threads/serve-jobs.ts';
import { readFillRows } from './fill-statement.ts';
import { deleteIndexFile, type IndexFile, isDamagedFile, openWriter } from './sqlite-index.ts';
import type { IndexWriter, Progress } from './store-port.ts';

/** A job of the thread on one file. */
export type IndexJob =
  | { readonly kind: 'open'; readonly file: IndexFile }
  | {
      readonly kind: 'commit';
      readonly path: string;
      readonly replaces: PositionRange | null;
      /** Answers to `fillSql` by look-up. */
      readonly answers: readonly (readonly [lookUp: string, bytes: Uint8Array])[];
      readonly progress: Progress | null;
    }
  | { readonly kind: 'close'; readonly path: string };

/** Outcome of a job; the progress of its file, if the file is open. */
export type IndexAnswer = { readonly progress: Progress | null } | { readonly error: string };

/** Open files by path. */
const writers = new Map<string, IndexWriter>();

serveJobs<IndexJob, IndexAnswer>((job) => ({ answer: work(job), transfer: [] }));

function work(job: IndexJob): IndexAnswer {
  const path = job.kind === 'open' ? job.file.path : job.path;
  try {
    return { progress: runJob(job, path) };
  } catch (error) {
    close(path);
    if (isDamagedFile(error)) deleteIndexFile(path);
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function runJob(job: IndexJob, path: string): Progress | null {
  if (job.kind === 'close') {
    close(path);
    return null;
  }
  if (job.kind === 'open') {
    close(path);
    const writer = openWriter(job.file);
    writers.set(path, writer);
    return writer.progress;
  }
  const writer = writers.get(path);
  if (!writer) throw new Error(`an open file of the look-up index expected at ${path}, found none`);
  const { replaces, answers, progress } = job;
  const rows = answers.map(([lookUp, bytes]) => ({
    lookUp,
    rows: readFillRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  }));
  writer.commit({ replaces, rows, progress });
  return progress;
}

function close(path: string): void {
  const writer = writers.get(path);
  writers.delete(path);
  writer?.close();
}
