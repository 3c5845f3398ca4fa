import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDirectoryLocked, takeDirectoryLock } from '../../platform/files/directory-lock.ts';
import { makeFolders } from '../../platform/files/folders.ts';

type Lock = { release(): void };

/**
 * Locks of the owners of leases, in `owners/`. The kernel frees a lock when its process ends. So the lease of a process
 * that was killed ends at once, whatever the clock says. The time of a lease matters only while its owner lives.
 */
export class OwnerLocks {
  readonly #directory: string;
  readonly #held = new Map<string, Lock>();

  constructor(directory: string) {
    this.#directory = join(directory, 'owners');
    makeFolders(this.#directory);
  }

  /** Shows other processes that this owner lives, until `close`. */
  hold(owner: string): void {
    if (this.#held.has(owner)) return;
    const name = getFileName(owner);
    const lock = takeDirectoryLock(this.#directory, name);
    // A sweep may have removed the file before it was locked: the next command takes another one.
    if (lock && existsSync(join(this.#directory, name))) this.#held.set(owner, lock);
    else lock?.release();
  }

  /** True if the owner's process has ended. False if it lives, or left no lock, as older releases do. */
  isGone(owner: string): boolean {
    if (this.#held.has(owner)) return false;
    const name = getFileName(owner);
    return existsSync(join(this.#directory, name)) && !isDirectoryLocked(this.#directory, name);
  }

  close(): void {
    for (const lock of this.#held.values()) lock.release();
    this.#held.clear();
  }

  /** Removes the locks of processes that have ended and are in no lease. */
  sweep(leased: readonly string[]): void {
    const needed = new Set(leased.map(getFileName));
    for (const name of readdirSync(this.#directory))
      if (name.endsWith('.lock') && !needed.has(name) && !isDirectoryLocked(this.#directory, name))
        rmSync(join(this.#directory, name), { force: true });
  }
}

const getFileName = (owner: string) =>
  `${createHash('sha256').update(owner).digest('hex').slice(0, 32)}.lock`;
