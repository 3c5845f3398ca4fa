/**
 * Temporary files of tests are in memory if there is room: their stores and logs are flushed to the disk thousands of
 * times, and each flush waits for whatever other processes write. What a power cut leaves is the power-cut simulation's to show.
 */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY_DISK = '/dev/shm';
const NEEDED_BYTES = 8 * 1024 ** 3;

export default function setup(): void {
  if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = MEMORY_DISK;
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY_DISK)) return false;
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= NEEDED_BYTES && freemem() >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
