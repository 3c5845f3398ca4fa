import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openWriter } from '../../../src/lookup/sqlite-index.ts';
import { SeededRandom } from '../../helpers/seeded-random.ts';

const SCRIPT = resolve(import.meta.dirname, 'killed-writer.ts');
const KEYS = 3_000;
const KILLS = 6;

/** Resolves when the process has written its next batch. */
async function nextBatch(child: ChildProcess): Promise<void> {
  await once(child.stdout!, 'data');
}

it('a writer that is killed in the middle of batches leaves a whole number of them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const path = join(directory, 'index.sqlite');
  const random = new SeededRandom(9);
  let before = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(process.execPath, [SCRIPT, path, String(KEYS)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await nextBatch(child);
      // Somewhere in one of the next batches.
      await new Promise((done) => setTimeout(done, random.below(40)));
      child.kill('SIGKILL');
      await once(child, 'exit');
      const writer = openWriter({ path, lookUps: ['by_key'], source: 'a' });
      const last = writer.progress.covered.at(-1)!.last;
      const bounds = { from: Buffer.from('key '), below: Buffer.from('key :') };
      const rows = writer.range('by_key', bounds, 2 * KEYS);
      writer.close();
      expect(last).toBeGreaterThan(before);
      expect(rows).toHaveLength(KEYS);
      expect(new Set(rows.map(({ step }) => step))).toEqual(new Set([last]));
      before = last;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
