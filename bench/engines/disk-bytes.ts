import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIB, round } from '../common/report.ts';

const POLL_MS = 1_000;
const QUIET_POLLS = 3;
const MAX_SECONDS = 240;

/** Bytes that this process moved from or to the disk. */
interface DiskBytes {
  readonly read: number;
  /** A page that is changed again before it is written counts once. */
  readonly written: number;
}

/** What this process moved since it began; null if the system does not report it (not Linux). */
export function readDiskBytes(): DiskBytes | null {
  if (process.platform !== 'linux') return null;
  const text = readFileSync('/proc/self/io', 'latin1');
  const find = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { read: find('read_bytes'), written: find('write_bytes') };
}

/** Waits until the threads of an engine write no more, because they have merged its files. Returns the seconds. */
export async function waitUntilMerged(): Promise<number> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  let quiet = 0;
  const readWritten = () => readDiskBytes()?.written ?? 0;
  for (let before = readWritten(); quiet < QUIET_POLLS && elapsed() < MAX_SECONDS; ) {
    await sleep(POLL_MS);
    const now = readWritten();
    quiet = now - before < MIB ? quiet + 1 : 0;
    before = now;
  }
  return round(elapsed() - (QUIET_POLLS * POLL_MS) / 1_000, 1);
}
