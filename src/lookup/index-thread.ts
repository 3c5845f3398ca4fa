/** The thread that writes the files of the look-up index: answers are never behind a write. */
import type { PositionRange } from '../engine/ranges/position-ranges.ts';
import { sqliteResultCode } from '../platform/files/sqlite-result-code.ts';
import { serveJobs } from '../platform/threads/serve-jobs.ts';
import { readFillRows } from './fill-statement.ts';
import { deleteIndexFile, type IndexFile, openWriter } from './sqlite-index.ts';
import type { IndexWriter, Progress } from './store-port.ts';

/** A job of the thread. One file is open at a time. */
export type IndexJob =
  | { readonly kind: 'open'; readonly file: IndexFile }
  | {
      readonly kind: 'commit';
      readonly replaces: PositionRange | null;
      /** Answers to `fillSql` by look-up. */
      readonly answers: readonly (readonly [lookUp: string, bytes: Uint8Array])[];
      readonly progress: Progress | null;
    }
  | { readonly kind: 'close' };

/** Outcome of a job; the progress of the open file, if there is one. */
export type IndexAnswer = { readonly progress: Progress | null } | { readonly error: string };

/** Codes of SQLite for a file whose pages cannot be read: CORRUPT and NOTADB. */
const DAMAGED: readonly (number | null)[] = [11, 26];

let open: { readonly file: IndexFile; readonly writer: IndexWriter } | null = null;

serveJobs<IndexJob, IndexAnswer>((job) => ({ answer: work(job), transfer: [] }));

function work(job: IndexJob): IndexAnswer {
  try {
    return { progress: runJob(job) };
  } catch (error) {
    const path = open?.file.path;
    close();
    if (path !== undefined && DAMAGED.includes(sqliteResultCode(error))) deleteIndexFile(path);
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function runJob(job: IndexJob): Progress | null {
  if (job.kind === 'close') {
    close();
    return null;
  }
  if (job.kind === 'open') {
    close();
    const writer = openWriter(job.file);
    open = { file: job.file, writer };
    return writer.progress;
  }
  if (!open) throw new Error('an open file of the look-up index expected, found none');
  const { replaces, answers, progress } = job;
  const rows = answers.map(([lookUp, bytes]) => ({
    lookUp,
    rows: readFillRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  }));
  open.writer.commit({ replaces, rows, progress });
  return progress;
}

function close(): void {
  const { writer } = open ?? {};
  open = null;
  writer?.close();
}
