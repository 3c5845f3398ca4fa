import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyData, makeWorkFolder, publishImage } from '../../../src/testing/data-directories.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-directories-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newData(folder: string): string {
  const data = join(folder, 'data');
  mkdirSync(join(data, 'clickhouse'), { recursive: true });
  mkdirSync(join(data, 'code'));
  for (const name of ['clickhouse/server.json', 'clickhouse/rows', 'control.json', 'code/compiled'])
    writeFileSync(join(data, name), name);
  return data;
}

it('copies the data of a chain, without the addresses of its process and compiled code', async () => {
  const folder = newFolder();
  await copyData(newData(folder), join(folder, 'copy'));
  const names = readdirSync(join(folder, 'copy'), { recursive: true, encoding: 'utf8' });
  expect(names.toSorted()).toEqual(['clickhouse', 'clickhouse/rows']);
});

it('keeps the image of the process that was first', async () => {
  const folder = newFolder();
  const data = newData(folder);
  const image = join(folder, 'cache/image');
  await Promise.all([publishImage(data, image), publishImage(data, image), publishImage(data, image)]);
  expect(readdirSync(join(folder, 'cache'))).toEqual(['image']);
  expect(existsSync(join(image, 'data/clickhouse/rows'))).toBe(true);
});

it('removes folders of processes that have ended, and no others', () => {
  const ended = join(tmpdir(), 'tonhouse-testing-4194305-x');
  const own = makeWorkFolder();
  onTestFinished(() => rmSync(own, { recursive: true, force: true }));
  mkdirSync(ended);
  rmSync(makeWorkFolder(), { recursive: true });
  expect(existsSync(ended)).toBe(true);
  utimesSync(ended, 0, 0);
  utimesSync(own, 0, 0);
  rmSync(makeWorkFolder(), { recursive: true });
  expect([ended, own].map((path) => existsSync(path))).toEqual([false, true]);
});
