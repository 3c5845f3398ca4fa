import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'record-syncs.c');

/** Whether this machine can build the recorder: Linux with gcc. */
export function canRecord(): boolean {
  return process.platform === 'linux' && spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Builds the library that is preloaded into the processes; answers its path. */
export function buildRecorder(folder: string): string {
  const library = join(folder, 'record-syncs.so');
  const built = spawnSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`gcc: ${built.stderr}`);
  return library;
}
