import type { FileReading } from '../../platform/files/list-files.ts';
import { type BlockId, type BlockIdExt, blockIdText, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { parseBlockName } from './entry-name.ts';
import { describePartial, type PartialPack, readPackEntries } from './pack-entries.ts';
import { type BlockEntry, entryOrigin } from './pack-entry.ts';

/** Index of the blocks of one group of packages. */
export class GroupIndex {
  private readonly entries = new Map<string, BlockEntry>();
  /** Masterchain seqnos, ascending. */
  readonly masterchain: readonly number[];
  readonly partial: readonly PartialPack[];
  readonly duplicates: number;
  /** Entries that are no blocks, by kind. */
  readonly otherKinds: ReadonlyMap<string, number>;

  constructor(
    found: readonly BlockEntry[],
    partial: readonly PartialPack[],
    otherKinds: ReadonlyMap<string, number>,
  ) {
    let duplicates = 0;
    for (const entry of found) {
      const key = blockIdText(entry.id);
      const known = this.entries.get(key);
      if (!known) this.entries.set(key, entry);
      else if (sameBlock(known.id, entry.id)) duplicates++;
      else throw new ChangedBlockError(known.id, entryOrigin(known), entry.id, entryOrigin(entry));
    }
    this.masterchain = [...this.entries.values()]
      .filter(({ id }) => isMasterchain(id))
      .map(({ id }) => id.seqno)
      .sort((a, b) => a - b);
    this.partial = partial;
    this.duplicates = duplicates;
    this.otherKinds = otherKinds;
  }

  get size(): number {
    return this.entries.size;
  }

  get(id: BlockId): BlockEntry | null {
    return this.entries.get(blockIdText(id)) ?? null;
  }

  all(): Iterable<BlockEntry> {
    return this.entries.values();
  }

  /** Whether a block that is not in the index may be the one that is being written. */
  unfinished(id: BlockIdExt): string | null {
    const pack = this.partial.find(({ name }) => {
      const named = name === null ? null : parseBlockName(name);
      return named ? sameBlock(named, id) : name === null;
    });
    return pack ? describePartial(pack) : null;
  }
}

/**
 * Lists the blocks of some packages. `growing` says that the last entry of each may be incomplete.
 * @throws PackError, UnreadableError, ChangedBlockError
 */
export async function indexPacks(
  files: readonly string[],
  growing: boolean,
  reading?: FileReading,
): Promise<GroupIndex> {
  const { blocks, partial, otherKinds } = await readPackEntries(files, growing, reading);
  return new GroupIndex(blocks, partial, otherKinds);
}
