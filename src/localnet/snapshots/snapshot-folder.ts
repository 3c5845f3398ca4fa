import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDirectory, writePrivateFile } from '../../platform/files/private-directory.ts';

/** What a restart of the chain's process does before the chain continues. */
export interface ChainChange {
  /** Of all changes of the data directory, from 1. */
  readonly number: number;
  readonly kind: 'snapshot' | 'revert';
  readonly id: string;
}

/** `error`: why the chain continued without the change; null for a change that was made. */
export type ChainChangeResult = ChainChange & { readonly error: string | null };

/** Folder of stored chains in a data directory. */
export const SNAPSHOTS = 'snapshots';

const ID = /^snapshot-([1-9]\d{0,8})$/;
const REQUESTED = 'requested.json';
const RESULT = 'result.json';

/**
 * Stored chains of a data directory: one folder a snapshot, the requested change, and the result of the last one. A request
 * is on disk until its result is: a process that starts after a crash makes the change.
 */
export class SnapshotFolder {
  readonly path: string;

  constructor(data: string) {
    this.path = join(data, SNAPSHOTS);
  }

  /** Ids, oldest first. */
  ids(): string[] {
    if (!existsSync(this.path)) return [];
    const numbers = readdirSync(this.path).flatMap((name) => ID.exec(name)?.[1] ?? []);
    return numbers
      .map(Number)
      .sort((a, b) => a - b)
      .map((number) => `snapshot-${number}`);
  }

  /** An id that no snapshot had, as long as the newest one is not removed by hand. */
  nextId(): string {
    const newest = this.ids().at(-1);
    return `snapshot-${newest === undefined ? 1 : Number(ID.exec(newest)![1]) + 1}`;
  }

  getPath(id: string): string {
    return join(this.path, id);
  }

  request(change: ChainChange): void {
    ensurePrivateDirectory(this.path);
    this.write(REQUESTED, change);
  }

  requested(): ChainChange | null {
    return this.read<ChainChange>(REQUESTED);
  }

  /** Ends a request. */
  finish(result: ChainChangeResult): void {
    this.write(RESULT, result);
    rmSync(join(this.path, REQUESTED), { force: true });
  }

  last(): ChainChangeResult | null {
    return this.read<ChainChangeResult>(RESULT);
  }

  private write(name: string, value: object): void {
    writePrivateFile(join(this.path, name), JSON.stringify(value));
  }

  private read<T>(name: string): T | null {
    const path = join(this.path, name);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null;
  }
}
