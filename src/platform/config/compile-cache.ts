import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { ensurePrivateDirectory } from '../files/private-directory.ts';

/**
 * Keeps compiled JavaScript in a directory that becomes private: this thread and its threads load code from there. If
 * that is refused, code is compiled each time.
 */
export function enablePrivateCompileCache(directory: string): void {
  ensurePrivateDirectory(directory);
  // The folder of this version of Node in it, which Node makes by the umask.
  enableCompileCache(directory);
  const own = getCompileCacheDir();
  if (own?.startsWith(directory)) ensurePrivateDirectory(own);
  // Threads look for it in the same place as the process.
  process.env.NODE_COMPILE_CACHE ??= directory;
}
