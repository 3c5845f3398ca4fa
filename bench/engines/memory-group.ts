import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Limits the memory of processes, with the pages of files that they read and write. */
export interface MemoryGroup {
  /** What limits the memory: a version of cgroups. */
  readonly kind: string;
  add(pid: number): void;
  /** Removes the group. Its processes must have ended. */
  remove(): Promise<void>;
}

interface Cgroup {
  readonly kind: string;
  readonly parent: string;
  readonly limit: string;
}

const CGROUPS: readonly Cgroup[] = [
  { kind: 'cgroup v1', parent: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes' },
  { kind: 'cgroup v2', parent: '/sys/fs/cgroup', limit: 'memory.max' },
];
const REMOVALS = 20;
const REMOVAL_PAUSE_MS = 250;

/** Makes a group; null if this system has no cgroup that this user may write. */
export function createMemoryGroup(bytes: number): MemoryGroup | null {
  for (const { kind, parent, limit } of CGROUPS) {
    const folder = join(parent, `tonhouse-bench-${process.pid}`);
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    try {
      // In version 2 the file is missing if the parent does not pass its memory controller on.
      if (!existsSync(join(folder, limit))) throw new Error(`${limit} is missing`);
      writeFileSync(join(folder, limit), `${bytes}`);
    } catch {
      rmdirSync(folder);
      continue;
    }
    return {
      kind,
      add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), `${pid}`),
      remove: () => removeFolder(folder),
    };
  }
  return null;
}

/** The kernel lets go of a group a moment after its last process. */
async function removeFolder(folder: string): Promise<void> {
  for (let left = REMOVALS; ; left--)
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(REMOVAL_PAUSE_MS);
    }
}
