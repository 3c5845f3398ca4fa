import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for files that a program can make again, by the XDG rules. */
export function userCacheDirectory(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const { XDG_CACHE_HOME: named } = environment;
  return named?.startsWith('/') ? named : join(homedir(), '.cache');
}
