import { readdirSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { copyTree } from '../../platform/files/copy-tree.ts';
import { takeDirectoryLock } from '../../platform/files/directory-lock.ts';
import type { Log } from '../../platform/observability/log.ts';
import { ORIGIN } from '../origin/origin-files.ts';
import { type ChainChange, SNAPSHOTS, SnapshotFolder } from './snapshot-folder.ts';

/**
 * Addresses of a process, which ends before the copy, compiled code, which is the same for all chains, and answers of the origin
 * of a fork, which never change.
 */
const NOT_STORED = ['server.json', 'control.json', 'code', ORIGIN, SNAPSHOTS];
/** What a revert leaves in the data directory. */
const KEPT = ['code', ORIGIN, SNAPSHOTS];

/** Another process changes the data directory. */
class ChangeInProgressError extends DataError {
  constructor(data: string) {
    super(`another process stores or reverts the chain of ${data}: wait for its end`);
  }
}

/**
 * Stores or reverts a data directory if the process before requested it. Nothing may have files of the directory open. A
 * change that fails is logged, and the chain stays as it is. A change that was interrupted is made again.
 */
export async function makeRequestedChange(data: string, { log }: { readonly log: Log }): Promise<void> {
  const folder = new SnapshotFolder(data);
  if (folder.requested() === null) return;
  const lock = takeDirectoryLock(folder.path, 'change.lock');
  if (!lock) throw new ChangeInProgressError(data);
  try {
    const change = folder.requested();
    if (change === null) return;
    const { kind, id } = change;
    const error = await make(data, folder, change).then(() => null, String);
    folder.finish({ ...change, error });
    if (error === null)
      log.info({ id }, kind === 'snapshot' ? 'the chain is stored' : 'the chain is reverted');
    else log.error({ id, error }, `${kind} failed; the chain continues without it`);
  } finally {
    lock.release();
  }
}

async function make(data: string, folder: SnapshotFolder, { kind, id }: ChainChange): Promise<void> {
  const [from, to] = kind === 'snapshot' ? [data, id] : [folder.getPath(id), 'reverted'];
  const staged = folder.getPath(`${to}.new`);
  rmSync(staged, { recursive: true, force: true });
  try {
    await copyTree(from, staged, NOT_STORED);
    if (kind === 'snapshot') await rename(staged, folder.getPath(id));
    else await replaceData(data, staged);
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Moves a copy of a stored directory to its place. */
async function replaceData(data: string, staged: string): Promise<void> {
  for (const name of readdirSync(data))
    if (!KEPT.includes(name)) rmSync(join(data, name), { recursive: true, force: true });
  for (const name of readdirSync(staged)) await rename(join(staged, name), join(data, name));
}
