/**
 * Contents of a disk after a power cut, from the record of record-syncs.c.
 *
 * The file system has a metadata journal, like ext4 and XFS. Names are created, moved and removed on the disk in the
 * order of the requests, and a sync commits all earlier requests. Synced contents are on the disk; the rest may be
 * anything (cut-copy.ts). Log, store, look-up index and cold folder are on one file system or on one each, where a sync of
 * one commits nothing of the others.
 */

export interface FolderNode {
  readonly kind: 'folder';
  readonly children: Map<string, DiskNode>;
}
export interface FileNode {
  readonly kind: 'file';
  readonly inode: string;
}
export type DiskNode = FolderNode | FileNode;

export type Layout = 'one' | 'two';

const folder = (): FolderNode => ({ kind: 'folder', children: new Map() });

/** Names below a root, as events change them. */
class NameTree {
  readonly root = folder();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  #place(path: string): { readonly parent: FolderNode; readonly name: string } | null {
    const parts = path.slice(this.#prefix.length).split('/').filter(Boolean);
    const name = parts.pop();
    let parent = this.root;
    for (const part of parts) {
      const child = parent.children.get(part);
      if (child?.kind !== 'folder') return null;
      parent = child;
    }
    return name === undefined ? null : { parent, name };
  }

  get(path: string): DiskNode | undefined {
    const place = this.#place(path);
    return place?.parent.children.get(place.name);
  }

  set(path: string, node: DiskNode): void {
    const place = this.#place(path);
    place?.parent.children.set(place.name, node);
  }

  remove(path: string): void {
    const place = this.#place(path);
    place?.parent.children.delete(place.name);
  }

  move(from: string, to: string): void {
    const node = this.get(from);
    if (!node) return;
    this.remove(from);
    this.set(to, node);
  }

  exchange(one: string, other: string): void {
    const [a, b] = [this.get(one), this.get(other)];
    if (!a || !b) return;
    this.set(one, b);
    this.set(other, a);
  }
}

/** One file system: its names on the disk, and the synced size of each file's contents. */
export interface DurableDisk {
  readonly root: FolderNode;
  /** Bytes that were synced, by inode; absent: none. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Picks the events whose names are on the disk, if the last sync was event `synced` of `count`. */
export type PickMoment = (synced: number, count: number) => number;

type Event = readonly string[];

const NAMES = new Set(['C', 'M', 'U', 'X', 'R', 'L', 'E']);
const isBelow = (path: string | undefined, base: string) =>
  path === base || (path?.startsWith(`${base}/`) ?? false);

/**
 * The part of the folder `base` below `root` that is on the disk, if it is on its own file system; `base` may be the
 * root itself.
 */
export function durableDisk(record: string, root: string, base: string, pick: PickMoment): DurableDisk {
  const events: Event[] = record
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
  const inodes = inodesBelow(events, base);
  // The file systems of the store are flushed as a whole.
  const isFlushed = base === root || /\/(clickhouse|cold)$/.test(base);
  const isOwn = ([kind, what = '']: Event) =>
    (kind === 'A' && isFlushed) || (inodes.has(what) && (kind !== 'a' || isFlushed));
  const synced = events.findLastIndex((event) => 'SDA'.includes(event[0] ?? '?') && isOwn(event));
  const moment = pick(synced + 1, events.length);
  const tree = new NameTree(root);
  const sizes = new Map<string, number>();
  for (const [at, event] of events.entries()) {
    if (at < moment && NAMES.has(event[0] ?? '')) rename(tree, event);
    contents(sizes, event, at <= synced ? isOwn(event) : false);
  }
  return { root: tree.root, sizes };
}

function inodesBelow(events: readonly Event[], base: string): ReadonlySet<string> {
  return new Set(
    events.flatMap(([kind, path, inode]) =>
      (kind === 'C' || kind === 'M') && inode !== undefined && isBelow(path, base) ? [inode] : [],
    ),
  );
}

function rename(tree: NameTree, [kind, one = '', other = '']: Event): void {
  if (kind === 'C') tree.set(one, { kind: 'file', inode: other });
  else if (kind === 'M') tree.set(one, folder());
  else if (kind === 'U' || kind === 'X') tree.remove(one);
  else if (kind === 'R') tree.move(one, other);
  else if (kind === 'E') tree.exchange(one, other);
  else if (kind === 'L') {
    const node = tree.get(one);
    if (node) tree.set(other, node);
  }
}

/** `isSync`: the event is of this file system. */
function contents(sizes: Map<string, number>, [kind, one = '', other = '']: Event, isSync: boolean): void {
  if (kind === 'C') sizes.delete(other);
  else if (kind === 'T') sizes.set(one, Math.min(sizes.get(one) ?? 0, Number(other)));
  else if ((kind === 'S' || kind === 'a') && isSync) sizes.set(one, Number(other));
}
