import type { FileReading } from '../../platform/files/list-files.ts';
import { type BlockId, type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import type { BlockShelf } from '../chain/chain-steps.ts';
import type { SourceBlock } from '../source.ts';
import { type GroupIndex, indexPacks } from './group-index.ts';
import { OpenFiles } from './open-files.ts';
import { type BlockEntry, readEntryBlock, readEntryBytes } from './pack-entry.ts';
import { groupOfSeqno, type PackFolder } from './pack-groups.ts';

/** A group, and its neighbours: a shard block may have been filed with the masterchain block before or after. */
const GROUPS_KEPT = 3;

/**
 * The blocks of an archive. Only the index of the group being read and of its neighbours is in memory, so that the
 * size of the archive does not matter.
 */
export class ArchiveShelf implements BlockShelf {
  private readonly folder: PackFolder;
  private readonly reading: FileReading;
  private readonly files: OpenFiles;
  /** Indexes by number of the group in `folder.groups`, the one used last at the end. */
  private readonly cached = new Map<number, GroupIndex>();
  private looseIndex: GroupIndex | null = null;
  private current = 0;

  constructor(folder: PackFolder, reading: FileReading = {}) {
    this.folder = folder;
    this.reading = reading;
    this.files = new OpenFiles(reading.signal);
  }

  async masterchainId(seqno: number): Promise<BlockIdExt | null> {
    const id = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
    const home = groupOfSeqno(this.folder, seqno);
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
    for (let at = groupOfSeqno(this.folder, seqno); at < this.folder.groups.length; at++) {
      const found = atLeast((await this.group(at))!);
      if (found !== undefined) return loose === null ? found : Math.min(found, loose);
    }
    return loose;
  }

  async lastMasterchain(): Promise<number | null> {
    let last = (await this.loose()).masterchain.at(-1) ?? null;
    for (let at = this.folder.groups.length - 1; at >= 0; at--) {
      const found = (await this.group(at))!.masterchain.at(-1);
      if (found === undefined) continue;
      last = Math.max(found, last ?? found);
      break;
    }
    return last;
  }

  async read(id: BlockId): Promise<SourceBlock | null> {
    const entry = await this.find(id);
    return entry && readEntryBlock(entry, await readEntryBytes(this.files, entry));
  }

  unfinished(id: BlockIdExt): string | null {
    for (const index of [...this.cached.values(), this.looseIndex]) {
      const note = index?.unfinished(id);
      if (note) return note;
    }
    return null;
  }

  /** The index of a group, read unless it is kept; null beyond the ends. */
  async group(at: number): Promise<GroupIndex | null> {
    const group = this.folder.groups[at];
    if (!group) return null;
    const growing = at === this.folder.groups.length - 1;
    const index = this.cached.get(at) ?? (await indexPacks(group.files, growing, this.reading));
    this.cached.delete(at);
    this.cached.set(at, index);
    const [oldest] = this.cached.keys();
    if (this.cached.size > GROUPS_KEPT && oldest !== undefined) this.cached.delete(oldest);
    return index;
  }

  async loose(): Promise<GroupIndex> {
    this.looseIndex ??= await indexPacks(this.folder.loose, true, this.reading);
    return this.looseIndex;
  }

  close(): Promise<void> {
    return this.files.close();
  }

  private async find(id: BlockId): Promise<BlockEntry | null> {
    for (const at of [this.current, this.current - 1, this.current + 1]) {
      const entry = (await this.group(at))?.get(id);
      if (entry) return entry;
    }
    return (await this.loose()).get(id);
  }
}
