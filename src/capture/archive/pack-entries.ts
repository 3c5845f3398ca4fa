import { type FileReading, reasonNotRead, reasonOfChange } from '../../platform/files/list-files.ts';
import { UnreadableError } from '../unreadable-error.ts';
import { entryKind, parseBlockName } from './entry-name.ts';
import type { BlockEntry } from './pack-entry.ts';
import { PackError } from './pack-error.ts';
import { type PartialEntry, scanPack } from './scan-pack.ts';

export interface PartialPack extends PartialEntry {
  readonly file: string;
}

/** Entries of some packages. */
export interface PackEntries {
  readonly blocks: readonly BlockEntry[];
  readonly partial: readonly PartialPack[];
  /** Entries that are no blocks, by kind. */
  readonly otherKinds: ReadonlyMap<string, number>;
}

/**
 * Lists the entries of some packages. `growing`: the last entry of each may be incomplete. A package that is gone, or no
 * file any more, is skipped. `ends`, for packages that are read again: where each one ended before. Only entries after that
 * are listed, and `ends` is updated.
 * @throws PackError, UnreadableError
 */
export async function readPackEntries(
  files: readonly string[],
  growing: boolean,
  reading: FileReading = {},
  ends?: Map<string, number>,
): Promise<PackEntries> {
  const blocks: BlockEntry[] = [];
  const partials: PartialPack[] = [];
  const otherKinds = new Map<string, number>();
  const found = new Map<string, number>();
  for (const file of files) {
    const scanned = await tryScan(file, reading, ends && (ends.get(file) ?? 0));
    if (scanned === null) continue;
    const { entries, partial: rest, end } = scanned;
    found.set(file, end);
    const partial = rest && { file, ...rest };
    if (partial && !growing) throw new PackError('truncated', partial, describePartial(partial));
    if (partial) partials.push(partial);
    for (const { name, offset, dataOffset, length } of entries) {
      const id = parseBlockName(name);
      const kind = entryKind(name);
      if (id) blocks.push({ id, file, offset, dataOffset, length });
      else if (kind === 'block')
        throw new PackError('name', { file, offset }, `entry name ${JSON.stringify(name)}`);
      else otherKinds.set(kind, (otherKinds.get(kind) ?? 0) + 1);
    }
  }
  for (const [file, end] of found) ends?.set(file, end);
  return { blocks, partial: partials, otherKinds };
}

async function tryScan(file: string, { signal, onSkip }: FileReading, from?: number) {
  try {
    return await scanPack(file, signal, from);
  } catch (error) {
    const reason = reasonOfChange(error);
    if (reason !== null) onSkip?.(file, reason);
    else throw reasonNotRead(error) === null ? error : new UnreadableError(file, error);
    return null;
  }
}

export function describePartial({ file, offset, name }: PartialPack): string {
  return `${file} ends within the entry at byte ${offset}${name ? ` (${name})` : ''}: it is still being written or was cut`;
}
