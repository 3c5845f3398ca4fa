import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OpenFiles } from '../../../../src/capture/archive/open-files.ts';

/** Names of the folder's files that this process has open. */
function openIn(folder: string): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length + 1));
}

it.skipIf(process.platform !== 'linux')('keeps the files open that were used last', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-open-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, name), `text of ${name}`);
  const files = new OpenFiles(undefined, 2);
  const read = async (name: string) => Buffer.from(await files.read(join(folder, name), 5, 20)).toString();
  expect([await read('a'), await read('b'), await read('a')]).toEqual(['of a', 'of b', 'of a']);
  expect(await read('c')).toBe('of c');
  expect(openIn(folder).sort()).toEqual(['a', 'c']);
  expect(await read('b')).toBe('of b');
  await files.close();
  expect(openIn(folder)).toEqual([]);
});
