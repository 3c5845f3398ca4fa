import { type BlockId, type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import type { BlockShelf } from '../chain/chain-steps.ts';
import type { SourceBlock } from '../source.ts';
import type { GroupIndex } from './group-index.ts';
import { type BlockEntry, readEntryBlock, readEntryBytes } from './pack-entry.ts';
import { groupOfSeqno } from './pack-groups.ts';
import type { PackIndex } from './pack-index.ts';

/**
 * The blocks of an archive. Only the index of the group being read and of its neighbours is in memory, so that the
 * size of the archive does not matter.
 */
export class ArchiveShelf implements BlockShelf {
  protected readonly packs: PackIndex;
  /** Position of the group that was read last. */
  protected current = 0;

  constructor(packs: PackIndex) {
    this.packs = packs;
  }

  async masterchainId(seqno: number): Promise<BlockIdExt | null> {
    const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
    const home = groupOfSeqno(this.packs.folder, seqno);
    for (const index of [home, home + 1]) {
      const entry = (await this.group(index))?.get(id);
      if (!entry) continue;
      this.current = index;
      return entry.id;
    }
    return (await this.loose()).get(id)?.id ?? null;
  }

  async masterchainFrom(seqno: number): Promise<number | null> {
    const atLeast = (index: GroupIndex) => index.masterchain.find((known) => known >= seqno);
    const loose = atLeast(await this.loose()) ?? null;
    for (let at = groupOfSeqno(this.packs.folder, seqno); at < this.packs.folder.groups.length; at++) {
      const found = atLeast((await this.group(at))!);
      if (found !== undefined) return loose === null ? found : Math.min(found, loose);
    }
    return loose;
  }

  async lastMasterchain(): Promise<number | null> {
    let last = (await this.loose()).masterchain.at(-1) ?? null;
    for (let at = this.packs.folder.groups.length - 1; at >= 0; at--) {
      const found = (await this.group(at))!.masterchain.at(-1);
      if (found === undefined) continue;
      last = Math.max(found, last ?? found);
      break;
    }
    return last;
  }

  async read(id: BlockId): Promise<SourceBlock | null> {
    const entry = await this.find(id);
    return entry && readEntryBlock(entry, await readEntryBytes(this.packs.files, entry));
  }

  unfinished(id: BlockIdExt): string | null {
    return this.packs.unfinished(id);
  }

  /** The index of a group, read unless it is kept; null beyond the ends. */
  group(at: number): Promise<GroupIndex | null> {
    return this.packs.group(at);
  }

  loose(): Promise<GroupIndex> {
    return this.packs.loose();
  }

  close(): Promise<void> {
    return this.packs.close();
  }

  private async find(id: BlockId): Promise<BlockEntry | null> {
    for (const at of [this.current, this.current - 1, this.current + 1]) {
      const entry = (await this.group(at))?.get(id);
      if (entry) return entry;
    }
    return (await this.loose()).get(id);
  }
}
