import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../../contract/log/seeded-random.ts';
import {
  type DurableDisk,
  durableDisk,
  type FolderNode,
  type Layout,
  type PickMoment,
} from './recorded-disk.ts';

export interface CutOptions {
  /** The data directory, whose processes are stopped. */
  readonly directory: string;
  /** Record and kept files of record-syncs.c. */
  readonly record: string;
  readonly keep: string;
  readonly layout: Layout;
  readonly random: SeededRandom;
}

const PAGE = 4096;
const OVERWRITTEN = /\.sqlite(-wal|-journal)?$/;

/** Makes `copy` what the disk would hold of a data directory after a power cut at this moment. */
export function copyAfterCut(options: CutOptions, copy: string): void {
  const { directory, layout } = options;
  const record = wholeLines(readFileSync(options.record, 'utf8'));
  const paths = pathsByInode(options);
  const disks = layout === 'one' ? [''] : ['log', 'clickhouse', 'lookup', 'cold'];
  mkdirSync(copy, { recursive: true });
  for (const name of disks) {
    const base = name === '' ? directory : join(directory, name);
    const disk = durableDisk(record, directory, base, momentOf(options.random));
    if (name === '') {
      writeFolder(disk.root, disk, copy, paths, options);
      continue;
    }
    const part = disk.root.children.get(name);
    if (part?.kind !== 'folder') continue;
    mkdirSync(join(copy, name));
    writeFolder(part, disk, join(copy, name), paths, options);
  }
}

/** A process that was stopped within a write may have left half a line. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

/** The journal of the file system may have been committed at any time since the last sync. */
function momentOf(random: SeededRandom): PickMoment {
  return (synced, count) => {
    const kind = random.next();
    if (kind < 0.4) return synced;
    return kind < 0.7 ? count : random.between(synced, count);
  };
}

function pathsByInode({ directory, keep }: CutOptions): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const name of readdirSync(keep)) {
    const inode = /^(\d+)\.gone$/.exec(name)?.[1];
    if (inode) paths.set(inode, join(keep, name));
  }
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    paths.set(String(statSync(path).ino), path);
  }
  return paths;
}

function writeFolder(
  node: FolderNode,
  disk: DurableDisk,
  target: string,
  paths: ReadonlyMap<string, string>,
  options: CutOptions,
): void {
  for (const [name, child] of node.children) {
    const path = join(target, name);
    if (child.kind === 'folder') {
      mkdirSync(path);
      writeFolder(child, disk, path, paths, options);
      continue;
    }
    const now = paths.get(child.inode);
    const synced = disk.sizes.get(child.inode) ?? 0;
    if (OVERWRITTEN.test(name))
      writeOverwritten(path, child.inode, now, disk.sizes.has(child.inode), options);
    else writeAppended(path, now, synced, options.random);
  }
}

/** Synced bytes are there; in place of the others nothing, zeros, or the bytes up to some place. */
function writeAppended(path: string, now: string | undefined, synced: number, random: SeededRandom): void {
  const size = now ? statSync(now).size : 0;
  if (now && size === synced) {
    copyFileSync(now, path);
    return;
  }
  const bytes = now ? readFileSync(now) : Buffer.alloc(0);
  const kept = Buffer.from(bytes.subarray(0, synced));
  const kind = random.next();
  const more = Math.max(0, bytes.length - synced);
  const tail =
    kind < 0.5
      ? Buffer.alloc(0)
      : kind < 0.75
        ? Buffer.alloc(more)
        : bytes.subarray(synced, synced + random.between(0, more));
  writeFileSync(path, Buffer.concat([kept, tail]));
}

/** Each page is what was synced, or what was written since. */
function writeOverwritten(
  path: string,
  inode: string,
  now: string | undefined,
  isSynced: boolean,
  { keep, layout, random }: CutOptions,
): void {
  const last = join(keep, `${inode}.${layout}`);
  const synced = isSynced && existsSync(last) ? readFileSync(last) : Buffer.alloc(0);
  const present = now ? readFileSync(now) : synced;
  const keepsNew = random.next();
  const file = openSync(path, 'w');
  for (let at = 0; at < Math.max(synced.length, present.length); at += PAGE) {
    const isNew = random.next() < keepsNew;
    const page = (isNew ? present : synced).subarray(at, at + PAGE);
    if (page.length > 0) writeSync(file, page, 0, page.length, at);
  }
  closeSync(file);
}
