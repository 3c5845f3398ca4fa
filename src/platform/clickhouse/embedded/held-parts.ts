/*
 * Originals of parts that move to another disk of an embedded store. The server deletes the original as soon as it has
 * copied the part, and does not sync the copy: a power cut some seconds later could take both. So each original gets
 * second names first, which are removed when the copy is on the disk. A start of the server undoes moves whose originals
 * still have them.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HELD, readColdRoot } from './cold-folder.ts';
import { HAS_DISK_FLUSH, StoreFlush } from './disk-flush.ts';

/** A held original: folder `held/OWNER+TABLE+PART` of its disk, or `held/gone-…` while its files are linked or removed. */
interface Held {
  /** Folder of the disk. */
  readonly root: string;
  /** Its second name. */
  readonly path: string;
  /** UUID of the table. */
  readonly table: string;
  readonly part: string;
}

const hotRoot = (directory: string) => join(directory, 'data');
const partPath = (root: string, { table, part }: Pick<Held, 'table' | 'part'>) =>
  join(root, 'store', table.slice(0, 3), table, part);

/** Parts that one mover holds. */
export class HeldParts {
  readonly #owner = randomUUID();
  readonly #roots: readonly string[];
  #held: Held[] = [];

  /** `directory`: of the store. */
  constructor(directory: string) {
    const cold = readColdRoot(directory);
    // Files of a bucket's disk only name objects, which the server deletes.
    this.#roots = [hotRoot(directory), ...(cold && !cold.isBucket ? [cold.folder] : [])];
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Holds a part, by its path; false if the part is gone. A part whose files are in a bucket is not held. */
  hold(path: string): boolean {
    const [, table = '', part = ''] = /\/store\/\w{3}\/([\w-]+)\/([^/]+)\/?$/.exec(path) ?? [];
    const root = this.#roots.find((one) => partPath(one, { table, part }) === path.replace(/\/$/, ''));
    if (root === undefined) return true;
    const folder = join(root, HELD);
    const begun = newName(folder);
    try {
      linkFolder(path, begun);
    } catch (error) {
      rmSync(begun, { recursive: true, force: true });
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    const held = join(folder, `${this.#owner}+${table}+${part}`);
    // An earlier attempt may have left it.
    if (existsSync(held)) remove(held);
    renameSync(begun, held);
    this.#held.push({ root, path: held, table, part });
    return true;
  }

  /** Removes the second names: the copies are on the disk. */
  release(): void {
    for (const { path } of this.#held.splice(0)) remove(path);
  }
}

/**
 * Undoes the moves of a store whose copies may not be on the disk, before its server starts. The caller has the store's
 * lock.
 */
export async function undoMoves(directory: string): Promise<void> {
  const cold = readColdRoot(directory);
  const roots = [hotRoot(directory), ...(cold ? [cold.folder] : [])];
  const held = roots.flatMap(readHeld);
  for (const one of held)
    for (const root of roots)
      if (root !== one.root) rmSync(partPath(root, one), { recursive: true, force: true });
  // A copy that comes back would stand next to its original.
  if (held.length > 0 && HAS_DISK_FLUSH) await new StoreFlush(directory).flush();
  for (const one of held) restore(one);
  for (const root of roots) rmSync(join(root, HELD), { recursive: true, force: true });
}

function readHeld(root: string): readonly Held[] {
  const folder = join(root, HELD);
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, table, part] = name.split('+');
    return table !== undefined && part !== undefined ? [{ root, path: join(folder, name), table, part }] : [];
  });
}

function restore(held: Held): void {
  const path = partPath(held.root, held);
  // The move had not removed the original, or the table was dropped.
  if (existsSync(path) || !existsSync(join(path, '..'))) remove(held.path);
  else renameSync(held.path, path);
}

/** Another name for a folder that is not complete. */
const newName = (folder: string) => join(folder, `gone-${randomUUID()}`);

/** Half a folder must not look like a part. A start of the server may have taken it meanwhile. */
function remove(path: string): void {
  const gone = newName(join(path, '..'));
  try {
    renameSync(path, gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  rmSync(gone, { recursive: true, force: true });
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkSync(source, target);
  }
}
