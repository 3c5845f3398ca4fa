import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../platform/files/copy-tree.ts';

const PREFIX = 'tonhouse-testing-';
/** A chain ends this long after its test process, ms. */
const LEFT_AFTER_MS = 60_000;
/** The addresses of a process, which a copy does not have, and compiled code, which all copies share. */
const NOT_COPIED = ['server.json', 'control.json', 'code'];

/** A new folder of this process for a chain and its snapshots. Removes those of processes that have ended. */
export function makeWorkFolder(): string {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) removeIfLeft(name);
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

function removeIfLeft(name: string): void {
  const path = join(tmpdir(), name);
  try {
    process.kill(Number(name.slice(PREFIX.length).split('-')[0]), 0);
  } catch (error) {
    const hasEnded = (error as NodeJS.ErrnoException).code === 'ESRCH';
    if (hasEnded && existsSync(path) && Date.now() - statSync(path).mtimeMs > LEFT_AFTER_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Copies the data directory of a stopped chain; shares the blocks on disk if the file system can. */
export function copyData(from: string, to: string): Promise<void> {
  return copyTree(from, to, NOT_COPIED);
}

/** Moves a prepared data directory to its place in the cache, unless another process was first. */
export async function publishImage(prepared: string, image: string): Promise<void> {
  mkdirSync(join(image, '..'), { recursive: true });
  const staged = mkdtempSync(`${image}.`);
  try {
    await copyData(prepared, join(staged, 'data'));
    await rename(staged, image);
  } catch (error) {
    rmSync(staged, { recursive: true, force: true });
    if (!existsSync(image)) throw error;
  }
}
