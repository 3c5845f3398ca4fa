import { openSync, readSync } from 'node:fs';

const NS_PER_MS = 1e6;
const FILE = '/proc/self/schedstat';

/** The file and a buffer for it; null if the system does not report waits (not Linux). */
const source = open();

/**
 * Time that the main thread was ready and had no processor, ms since the process began; 0 if the system does not report
 * it. On a machine with other work this is most of the time of a read that waits for the disk.
 */
export function readProcessorWait(): number {
  if (!source) return 0;
  const length = readSync(source.file, source.bytes, 0, source.bytes.length, 0);
  // Time on a processor, time waiting for one, number of turns.
  return Number(source.bytes.toString('latin1', 0, length).split(' ')[1]) / NS_PER_MS;
}

function open(): { readonly file: number; readonly bytes: Buffer } | null {
  if (process.platform !== 'linux') return null;
  try {
    return { file: openSync(FILE, 'r'), bytes: Buffer.alloc(128) };
  } catch {
    return null;
  }
}
