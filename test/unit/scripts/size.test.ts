import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { measureTree } from '../../../scripts/layout/tree-size.ts';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

const TREE = new Map([
  ['src/api/find.ts', "// messages_by_opcode in a comment\nexport const sql = 'messages_by_opcode';\n\n"],
  ['src/api/serve.ts', 'export const limit = (settings) => settings.defaultLimit;\n'],
  ['src/platform/config/settings/api.ts', "const API = {\n  defaultLimit: integer('default-limit'),\n};\n"],
  ['src/ton/layouts/jettons.tlb', 'burn#595f07bc = InternalMsgBody;\n'],
  [
    'clickhouse/base/1.sql',
    'CREATE TABLE IF NOT EXISTS {db}.messages_by_opcode{cluster}\n(storage_fees_due UInt8)\n',
  ],
  ['pipelines/base.ts', 'export const BASE = { version: 6 };\n'],
]);

describe('the size of a tree', () => {
  const size = measureTree(TREE);
  const count = (what: string) => size.get(what)?.count;

  it('counts lines that are not blank, of TypeScript in src', () => {
    expect(count('lines of TypeScript in src, not blank')).toBe(6);
    expect(size.get('files in the fullest folder of src')).toEqual({ count: 2, text: 'src/api' });
  });

  it('counts the files that name an index table or a setting, without comments', () => {
    expect(size.get('files for an index table')).toEqual({ count: 2, text: 'messages_by_opcode, one of 1' });
    expect(size.get('files for a setting, median')).toEqual({ count: 2, text: 'defaultLimit, one of 1' });
  });

  it('counts the files of a column, and the version of the projection if it is written by hand', () => {
    expect(count('files for a column')).toBe(2);
    const derived = new Map([
      ...TREE,
      ['pipelines/base.ts', 'export const BASE = { version: BASE_VERSION };\n'],
    ]);
    expect(measureTree(derived).get('files for a column')?.count).toBe(1);
  });
});

it('two commits are compared, and an unknown one is named', async () => {
  const script = (...commits: string[]) =>
    run(process.execPath, ['scripts/size.ts', ...commits], { cwd: root });
  const { stdout } = await script('HEAD', 'HEAD');
  expect(stdout).toMatch(/^files for a column: (\d+) \(\w+, one of \d+\) → \1 /m);
  await expect(script('no-such-commit')).rejects.toMatchObject({
    code: 1,
    stderr: 'git knows no commit no-such-commit\n',
  });
});
