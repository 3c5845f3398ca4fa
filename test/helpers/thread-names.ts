import { readdirSync, readFileSync } from 'node:fs';

/** Names of this process's threads as Linux knows them. */
export function threadNames(): string[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    try {
      return [readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim()];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}
