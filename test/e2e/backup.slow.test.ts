/** The section "Back up and restore" of docs/operations.md, command by command. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

const CLI = join(import.meta.dirname, '../../bin/tonhouse');

/** The commands of the section, in order, with this checkout's program. */
function commands(): readonly string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const section = page.split('\n## Back up and restore\n')[1]!.split('\n## ')[0]!;
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!.trim());
  return blocks.map((block) => block.replaceAll('npx tonhouse', `"${CLI}"`));
}

it('a backup is restored elsewhere, is proved, and continues', { timeout: 900_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const shell = (script: string) => spawnSync('sh', ['-ec', script], { cwd: directory, encoding: 'utf8' });
  const [backUp, restore, ...others] = commands();
  expect(others).toEqual([]);

  const original = await startUp(['--data', join(directory, 'data'), '--traffic', '5']);
  await expect.poll(async () => (await original.range())?.last, { timeout: 300_000 }).toBeGreaterThan(5);
  await original.stop();
  expect(shell(backUp!)).toMatchObject({ status: 0, stderr: '' });

  // The copy must not need anything of the original.
  renameSync(join(directory, 'data'), join(directory, 'gone'));
  rmSync(join(directory, 'gone'), { recursive: true });
  const proof = shell(restore!);
  expect(proof, proof.stderr).toMatchObject({ status: 0 });
  const data = join(directory, 'restored/data');
  expect(statSync(data).mode & 0o777).toBe(0o700);

  const restored = await startUp(['--data', data, '--traffic', '5']);
  const { first, last } = (await restored.range())!;
  expect(first).toBeLessThanOrEqual(1);
  expect(last).toBeGreaterThan(5);
  await expect
    .poll(async () => (await restored.range())?.last, { timeout: 300_000 })
    .toBeGreaterThan(last + 2);
  await restored.stop();
  const verified = await runCli(['verify', '--log', '--data', data]);
  expect(verified, verified.stderr).toMatchObject({ code: 0 });
});
