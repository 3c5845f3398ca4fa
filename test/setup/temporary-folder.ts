/**
 * One temporary folder for all tests of a run, which goes with them: stores that are deleted are no neighbours of the next ones (measured: 60 s of
 * store tests took 50).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spreadDirectory } from '../../src/platform/files/spread-directory.ts';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-run-test-'));
  spreadDirectory(folder);
  process.env.TMPDIR = folder;
  return () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
    } catch (error) {
      // A process that is still ending may write: no reason for tests that passed to fail.
      process.stderr.write(`${folder} is left: ${String(error)}\n`);
    }
  };
}
