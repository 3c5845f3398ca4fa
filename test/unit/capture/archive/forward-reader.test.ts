import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ForwardReader } from '../../../../src/capture/archive/forward-reader.ts';
import { RegularFile } from '../../../../src/platform/files/regular-file.ts';

const SIZE = 1_500_000;

it('reads the same bytes as the file, with fewer reads where these are small and close to each other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-forward-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bytes = randomBytes(SIZE);
  await writeFile(join(folder, 'file'), bytes);
  const file = await RegularFile.open(join(folder, 'file'));
  const reads = vi.spyOn(file, 'read');
  const reader = new ForwardReader(file);
  const expectSame = async (offset: number, length: number) =>
    expect(bytes.compare(await reader.read(offset, length), 0, undefined, offset, offset + length)).toBe(0);
  for (let offset = 0; offset < SIZE; offset += 3_000) await expectSame(offset, 3_000);
  expect(reads.mock.calls.length).toBeLessThan(10);
  // Backwards, far away, large, and beyond the end.
  await expectSame(SIZE - 9_000, 3_000);
  await expectSame(10, 3_000);
  await expectSame(20_000, 900_000);
  expect(await reader.read(SIZE - 5, 20)).toHaveLength(5);
  expect(await reader.read(SIZE + 5, 20)).toHaveLength(0);
  await reader.close();
});

it('gives bytes away: a change of them does not reach the next read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-forward-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), 'abcdefgh');
  const reader = new ForwardReader(await RegularFile.open(join(folder, 'file')));
  (await reader.read(0, 4)).fill(0);
  expect(Buffer.from(await reader.read(0, 8)).toString()).toBe('abcdefgh');
  await reader.close();
});
