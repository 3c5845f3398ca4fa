import type { FileReading } from '../../platform/files/list-files.ts';
import { type BlockId, type BlockIdExt, blockIdText, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { parseBlockName } from './entry-name.ts';
import { describePartial, type PackEntries, type PartialPack, readPackEntries } from './pack-entries.ts';
import { type BlockEntry, entryOrigin } from './pack-entry.ts';

/** Index of the blocks of one group of packages. */
export class GroupIndex {
  private readonly entries = new Map<string, BlockEntry>();
  private readonly seqnos: number[] = [];
  private readonly kinds = new Map<string, number>();
  private cut: readonly PartialPack[] = [];
  private copies = 0;

  /** Masterchain seqnos, ascending. */
  get masterchain(): readonly number[] {
    return this.seqnos;
  }

  get partial(): readonly PartialPack[] {
    return this.cut;
  }

  get duplicates(): number {
    return this.copies;
  }

  /** Entries that are no blocks, by kind. */
  get otherKinds(): ReadonlyMap<string, number> {
    return this.kinds;
  }

  /**
   * Adds entries; `partial` replaces what was partial before.
   * @throws ChangedBlockError
   */
  add({ blocks, partial, otherKinds }: PackEntries): void {
    for (const entry of blocks) {
      const key = blockIdText(entry.id);
      const known = this.entries.get(key);
      if (known && !sameBlock(known.id, entry.id))
        throw new ChangedBlockError(known.id, entryOrigin(known), entry.id, entryOrigin(entry));
      if (known) this.copies++;
      else {
        this.entries.set(key, entry);
        if (isMasterchain(entry.id)) this.seqnos.push(entry.id.seqno);
      }
    }
    this.seqnos.sort((a, b) => a - b);
    this.cut = partial;
    for (const [kind, count] of otherKinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + count);
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
 * Lists the blocks of some packages. `growing` says that the last entry of each may be incomplete. `ends`: as in
 * readPackEntries.
 * @throws PackError, UnreadableError, ChangedBlockError
 */
export async function indexPacks(
  files: readonly string[],
  growing: boolean,
  reading?: FileReading,
  ends?: Map<string, number>,
): Promise<GroupIndex> {
  const index = new GroupIndex();
  index.add(await readPackEntries(files, growing, reading, ends));
  return index;
}
