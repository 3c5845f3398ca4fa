import { isDirectoryLocked, takeDirectoryLock } from '../../files/directory-lock.ts';

const NAME = 'server.lock';

/** Takes the exclusive lock of a store directory until `release`, or answers null where another process has it. */
export function takeServerLock(directory: string): { release(): void } | null {
  return takeDirectoryLock(directory, NAME);
}

/** Whether a live process holds the store directory's lock. */
export function isServerLocked(directory: string): boolean {
  return isDirectoryLocked(directory, NAME);
}
