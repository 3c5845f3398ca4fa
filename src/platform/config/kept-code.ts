import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { ensurePrivateDirectory } from '../files/private-directory.ts';

/**
 * Keeps compiled JavaScript in a directory that becomes private: what is loaded from now on, by this thread and those that it starts, is read
 * from there. Where that is refused everything is compiled each time.
 */
export function keepCode(directory: string): void {
  ensurePrivateDirectory(directory);
  // The folder of this version of Node in it, which Node makes by the umask.
  enableCompileCache(directory);
  const own = getCompileCacheDir();
  if (own?.startsWith(directory)) ensurePrivateDirectory(own);
  // Threads look for it where a process does.
  process.env.NODE_COMPILE_CACHE ??= directory;
}
