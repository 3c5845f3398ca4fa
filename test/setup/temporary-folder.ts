/**
 * One temporary folder for all tests of a run, which goes with them. Ext4 without a journal, as small virtual machines have it, makes files up to
 * forty times more slowly beside those that were deleted in the last minutes, and a store deletes all the time: the attribute `T` lets it
 * give the folders in this one different parts of the disk (measured: 60 s of store tests took 50).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-run-test-'));
  // Absent on other systems, refused by other file systems: then the folder is an ordinary one.
  spawnSync('chattr', ['+T', folder], { stdio: 'ignore' });
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
