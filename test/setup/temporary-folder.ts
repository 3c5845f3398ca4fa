/**
 * One temporary folder for all tests of a run. The run removes it at its end, because deleting files while a store runs
 * slows the store down (measured: 60 s of store tests took 50 s). TEST_KEEP_FOLDER=1 keeps it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spreadDirectory } from '../../src/platform/files/spread-directory.ts';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-run-test-'));
  spreadDirectory(folder);
  process.env.TMPDIR = folder;
  // Every process that a test starts finds its code compiled: a start takes half of the processor time.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'code');
  return () => {
    if (process.env.TEST_KEEP_FOLDER) {
      process.stdout.write(`kept: ${folder}\n`);
      return;
    }
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
    } catch (error) {
      // A process that is still ending may write. That is no failure of a test.
      process.stderr.write(`${folder} is left: ${String(error)}\n`);
    }
  };
}
