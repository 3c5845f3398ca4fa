import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const run = promisify(execFile);

/** Scripts of package.json whose programs read options. */
const files = Object.values(scripts).flatMap((script) => {
  const file = /^node (?:--\S+ )?(\S+\.ts)$/.exec(script)?.[1];
  return file && readFileSync(join(root, file), 'utf8').includes('parseArgs') ? [file] : [];
});

it('knows the simulations and the conformance of actions among them', () => {
  expect(files).toEqual(
    expect.arrayContaining(['scripts/conformance-actions.ts', 'test/simulation/schema/run-schema.ts']),
  );
});

it.each(files)(
  '%s prints its usage with --help',
  async (file) => {
    const { stdout } = await run(process.execPath, [file, '--help'], { cwd: root });
    expect(stdout).toMatch(/--/);
  },
  120_000,
);
