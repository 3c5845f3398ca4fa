import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveSource } from './liteserver-source.ts';
import { type LiveReport, liveReport } from './live-report.ts';

const EVERY_MS = 5_000;

/** The report of the process that follows a network, for `tonhouse status` of another process. */
export interface LiveNote extends LiveReport {
  /** ISO time of the report. */
  readonly at: string;
}

const getFile = (directory: string): string => join(directory, 'live.json');

/** Writes the report now and every five seconds. @returns a function that stops it */
export function keepLiveNote(directory: string, live: LiveSource): () => void {
  const write = () => {
    const note: LiveNote = { at: new Date().toISOString(), ...liveReport(live) };
    const draft = `${getFile(directory)}.new`;
    writeFileSync(draft, `${JSON.stringify(note)}\n`);
    renameSync(draft, getFile(directory));
  };
  const tryWrite = () => {
    // A full disk stops the log, which reports it; this note is not worth more.
    try {
      write();
    } catch {}
  };
  tryWrite();
  const timer = setInterval(tryWrite, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Null if no network is followed here, or the note is unreadable. */
export function readLiveNote(directory: string): LiveNote | null {
  try {
    return JSON.parse(readFileSync(getFile(directory), 'utf8')) as LiveNote;
  } catch {
    return null;
  }
}

/** The note for people; no lines if there is none. */
export function liveNoteLines(note: LiveNote | null): string[] {
  if (!note) return [];
  const { at, trust, key_block, head, head_lag_seconds, masterchain_blocks_per_second: rate } = note;
  const proof = key_block === null ? '' : `, key block ${key_block}`;
  return [
    `live           head ${head ?? 'none'}, ${head_lag_seconds ?? '?'} s after the network, ${rate} blocks/s (at ${at})`,
    `trust          ${trust}${proof}`,
    ...fetchedLines(note.fetched),
    ...note.servers.map(({ server, state, delivered, failures, latency_ms, last_error }) => {
      const kinds = Object.entries(failures).map(([kind, count]) => `${kind} ${count}`);
      const error = last_error === null ? '' : `; ${last_error}`;
      return `server         ${server} ${state}: delivered ${delivered}, ${latency_ms} ms${kinds.length > 0 ? `, ${kinds.join(', ')}` : ''}${error}`;
    }),
  ];
}

/** Of an index that lacks nothing there is no line. A note of an earlier release has no counts. */
function fetchedLines(fetched: LiveNote['fetched'] | undefined): string[] {
  if (!fetched || fetched.accounts + fetched.libraries + fetched.missing === 0) return [];
  const { accounts, libraries, cells, missing, failed } = fetched;
  const problem = failed > 0 ? `, ${failed} failed` : '';
  return [
    `fetched        ${accounts} accounts, ${libraries} libraries, ${cells} cells; ${missing} lack cells${problem}`,
  ];
}
