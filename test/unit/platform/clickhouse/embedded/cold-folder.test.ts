import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  ColdPlaceError,
  prepareColdPlace,
  readColdFolder,
} from '../../../../../src/platform/clickhouse/embedded/cold-folder.ts';

const MARK = 'tonhouse-cold.json';

const prepareColdFolder = (store: string, folder: string | undefined) =>
  prepareColdPlace(store, folder === undefined ? undefined : { folder });

function places() {
  const root = mkdtempSync(join(tmpdir(), 'tonhouse-cold-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const store = join(root, 'data/clickhouse');
  mkdirSync(store, { recursive: true });
  return { store, cold: join(root, 'cold'), other: join(root, 'other') };
}

/** A part as the server makes it. */
function makePart(cold: string, name = 'all_1_1_0'): string {
  const part = join(cold, 'store/abc/abc00000-0000-4000-8000-000000000000', name);
  mkdirSync(part, { recursive: true });
  return part;
}

it('marks a new folder as the own one of the store, for its owner only, and forgets an empty one', () => {
  const { store, cold } = places();
  prepareColdFolder(store, undefined);
  prepareColdFolder(store, cold);
  expect(readColdFolder(store)).toBe(cold);
  expect(statSync(cold).mode & 0o77).toBe(0);
  prepareColdFolder(store, cold);
  // What the server makes for each table, and moves that were cut off, are no parts.
  makePart(cold, 'detached');
  makePart(cold, 'moving');
  prepareColdFolder(store, undefined);
  expect(readColdFolder(store)).toBeNull();
});

it('refuses a start that would lose old parts', () => {
  const { store, cold, other } = places();
  prepareColdFolder(store, cold);
  makePart(cold);
  expect(() => prepareColdFolder(store, undefined)).toThrow(`Give --cold ${cold}`);
  expect(() => prepareColdFolder(store, other)).toThrow(`Give --cold ${cold}`);
  expect(readColdFolder(store)).toBe(cold);
  prepareColdFolder(store, cold);
});

it('refuses a folder whose disk is not mounted', () => {
  const { store, cold, other } = places();
  prepareColdFolder(store, cold);
  makePart(cold);
  renameSync(cold, `${cold}-unmounted`);
  for (const given of [undefined, cold, other]) {
    expect(() => prepareColdFolder(store, given)).toThrow('Is its disk mounted?');
    mkdirSync(cold, { recursive: true });
  }
  rmSync(cold, { recursive: true });
  renameSync(`${cold}-unmounted`, cold);
  prepareColdFolder(store, cold);
});

it('finds parts in the new place of the folder', () => {
  const { store, cold, other } = places();
  prepareColdFolder(store, cold);
  makePart(cold);
  renameSync(cold, other);
  prepareColdFolder(store, other);
  expect(readColdFolder(store)).toBe(other);
  expect(() => prepareColdFolder(store, undefined)).toThrow(`Give --cold ${other}`);
});

it('refuses folders with files of others, and folders around or in the store', () => {
  const { store, cold, other } = places();
  mkdirSync(cold);
  writeFileSync(join(cold, 'photos'), '');
  expect(() => prepareColdFolder(store, cold)).toThrow('contains "photos"');
  rmSync(join(cold, 'photos'));
  // A new file system, and a start that was cut off.
  mkdirSync(join(cold, 'lost+found'));
  writeFileSync(join(cold, MARK), '{"id":"x"}');
  prepareColdFolder(store, cold);
  makePart(cold);
  mkdirSync(other);
  expect(() => prepareColdFolder(other, cold)).toThrow('belongs to another store');
  expect(existsSync(join(other, 'cold.json'))).toBe(false);
  for (const near of [store, join(store, 'cold'), join(store, '..')])
    expect(() => prepareColdFolder(store, near)).toThrow(ColdPlaceError);
});

it('does not lose the parts of a bucket, whose metadata is in the data directory', () => {
  const { store, cold } = places();
  const bucket = {
    ...{ name: 's3://b/cold', endpoint: 'http://x/b/cold/', region: 'r' },
    ...{ accessKey: 'a', secretKey: 's' },
  };
  prepareColdPlace(store, bucket);
  prepareColdPlace(store, undefined);
  prepareColdPlace(store, bucket);
  expect(readColdFolder(store)).toBeNull();
  makePart(join(store, 'data/disks/cold'));
  prepareColdPlace(store, bucket);
  for (const other of [undefined, { ...bucket, name: 's3://b/other' }, { folder: cold }])
    expect(() => prepareColdPlace(store, other)).toThrow('Give --cold s3://b/cold. With --cold-after never');
});
