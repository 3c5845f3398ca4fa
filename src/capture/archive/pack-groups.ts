import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode, type FileReading, listFiles } from '../../platform/files/list-files.ts';
import { untilAborted } from '../../platform/files/until-aborted.ts';

/** Packages that belong together: a range of masterchain blocks and the shard blocks which these commit. */
export interface PackGroup {
  /** The masterchain seqno from which the range counts (the number in the names). */
  readonly number: number;
  readonly files: readonly string[];
}

/** The packages of a path. */
export interface PackList {
  /** In the order of the chain. */
  readonly groups: readonly PackGroup[];
  /** Packages whose names do not give their group: they are searched for every group. */
  readonly loose: readonly string[];
  /** Other files, which were passed over. */
  readonly ignored: readonly string[];
}

export interface PackFolder extends PackList {
  readonly bytes: number;
}

/** `archive.%05d.pack`, `archive.%05d.<wc>:<shard>.pack`; newer nodes write `_` for `:`. */
const PACK_NAME = /(?:^|\.)archive\.(\d{5,10})(?:\.-?\d+[:_][0-9a-f]{16})?\.pack$/i;

/**
 * Finds the packages of a path: one `.pack` file, or a folder with any number of them at any depth; and sums their bytes.
 * @throws NotRegularFileError: the path is neither
 */
export async function listPacks(path: string, reading: FileReading = {}): Promise<PackFolder> {
  const list = await findPacks(path, reading);
  let bytes = 0;
  for (const { files } of [...list.groups, { files: list.loose }])
    for (const file of files) bytes += await readFileSize(file, reading);
  return { ...list, bytes };
}

/**
 * Finds the packages of a path without reading their sizes.
 * @throws NotRegularFileError: the path is neither a file nor a folder
 */
export async function findPacks(path: string, reading: FileReading = {}): Promise<PackList> {
  const files = await listFiles(path, reading);
  if (files[0] === path) return { groups: [{ number: 0, files }], loose: [], ignored: [] };
  const groups = new Map<number, string[]>();
  const loose: string[] = [];
  const ignored: string[] = [];
  for (const file of files) {
    if (!file.endsWith('.pack')) {
      ignored.push(`${file}: not a package`);
      continue;
    }
    const number = PACK_NAME.exec(basename(file))?.[1];
    if (number === undefined) loose.push(file);
    else groups.set(Number(number), [...(groups.get(Number(number)) ?? []), file]);
  }
  // Nothing but names of another form: then they are the archive.
  if (groups.size === 0 && loose.length > 0) groups.set(0, loose.splice(0));
  return {
    groups: [...groups].sort(([a], [b]) => a - b).map(([number, files]) => ({ number, files: files.sort() })),
    loose: loose.sort(),
    ignored: ignored.sort(),
  };
}

/** Bytes of a file; 0 if it is gone since the folder was listed, which its reader reports. */
async function readFileSize(file: string, { signal }: FileReading): Promise<number> {
  try {
    return (await untilAborted(stat(file), signal)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Index of the group of a masterchain seqno: the last one that begins at or before it. */
export function groupOfSeqno({ groups }: Pick<PackList, 'groups'>, seqno: number): number {
  const after = groups.findIndex(({ number }) => number > seqno);
  return Math.max(0, (after < 0 ? groups.length : after) - 1);
}
