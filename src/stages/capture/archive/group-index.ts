import { type BlockId, type BlockIdExt, blockIdText, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import { entryKind, parseBlockName } from './entry-name.ts';
import { type BlockEntry, entryOrigin } from './pack-entry.ts';
import { PackError } from './pack-error.ts';
import { type PartialEntry, scanPack } from './scan-pack.ts';

export interface PartialPack extends PartialEntry {
  readonly file: string;
}

/** Where the blocks of one group of packages are. */
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

  /** What the index says about a block that is not in it: whether it may be the one that is being written. */
  unfinished(id: BlockIdExt): string | null {
    const pack = this.partial.find(({ name }) => {
      const named = name === null ? null : parseBlockName(name);
      return named ? sameBlock(named, id) : name === null;
    });
    return pack ? describePartial(pack) : null;
  }
}

export function describePartial({ file, offset, name }: PartialPack): string {
  return `${file} ends within the entry at byte ${offset}${name ? ` (${name})` : ''}: it is still being written or was cut`;
}

/**
 * Lists the blocks of some packages. `growing` says that the last entry of each may be incomplete.
 * @throws PackError, ChangedBlockError
 */
export async function indexPacks(files: readonly string[], growing: boolean): Promise<GroupIndex> {
  const found: BlockEntry[] = [];
  const partials: PartialPack[] = [];
  const otherKinds = new Map<string, number>();
  for (const file of files) {
    const { entries, partial } = await scanPack(file);
    if (partial && !growing)
      throw new PackError('truncated', file, partial.offset, describePartial({ file, ...partial }));
    if (partial) partials.push({ file, ...partial });
    for (const { name, offset, dataOffset, length } of entries) {
      const id = parseBlockName(name);
      const kind = entryKind(name);
      if (id) found.push({ id, file, offset, dataOffset, length });
      else if (kind === 'block')
        throw new PackError('name', file, offset, `entry name ${JSON.stringify(name)}`);
      else otherKinds.set(kind, (otherKinds.get(kind) ?? 0) + 1);
    }
  }
  return new GroupIndex(found, partials, otherKinds);
}
