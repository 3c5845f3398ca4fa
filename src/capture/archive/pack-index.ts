import type { FileReading } from '../../platform/files/list-files.ts';
import type { BlockIdExt } from '../block-id.ts';
import { type GroupIndex, indexPacks } from './group-index.ts';
import { OpenFiles } from './open-files.ts';
import { readPackEntries } from './pack-entries.ts';
import { findPacks, type PackList } from './pack-groups.ts';

/** A group, and its neighbours: a shard block may have been filed with the masterchain block before or after. */
const GROUPS_KEPT = 3;

interface KeptGroup {
  readonly index: GroupIndex;
  files: readonly string[];
  /** Where each package ended when it was read; absent if packages do not grow. */
  readonly ends: Map<string, number> | undefined;
}

/** The packages of a path, with the indexes of the groups that were read last. */
export class PackIndex {
  readonly files: OpenFiles;
  private readonly reading: FileReading;
  /** The path, if its packages grow. */
  private readonly followed: string | null;
  /** By the number of the group; the one used last is at the end. */
  private readonly kept = new Map<number, KeptGroup>();
  private keptLoose: KeptGroup | null = null;
  private list: PackList;

  /** @param followed the path, if its packages may grow while they are read */
  constructor(list: PackList, reading: FileReading, followed: string | null = null) {
    this.list = list;
    this.reading = reading;
    this.followed = followed;
    this.files = new OpenFiles(reading.signal);
  }

  /** The packages as they were listed last. */
  get folder(): PackList {
    return this.list;
  }

  get mayGrow(): boolean {
    return this.followed !== null;
  }

  /** The index of a group, read unless it is kept; null beyond the ends. */
  async group(at: number): Promise<GroupIndex | null> {
    const group = this.list.groups[at];
    if (!group) return null;
    const isLast = at === this.list.groups.length - 1;
    const known = this.kept.get(group.number) ?? (await this.read(group.files, isLast));
    this.kept.delete(group.number);
    this.kept.set(group.number, known);
    const [oldest] = this.kept.keys();
    if (this.kept.size > GROUPS_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return known.index;
  }

  async loose(): Promise<GroupIndex> {
    this.keptLoose ??= await this.read(this.list.loose, true);
    return this.keptLoose.index;
  }

  unfinished(id: BlockIdExt): string | null {
    for (const kept of [...this.kept.values(), this.keptLoose]) {
      const note = kept?.index.unfinished(id);
      if (note) return note;
    }
    return null;
  }

  /**
   * Lists the path again, and reads what was added to the packages whose index is kept.
   * @throws PackError shrunk, entry: a package was cut or replaced
   */
  async refresh(): Promise<void> {
    if (this.followed === null) return;
    this.list = await findPacks(this.followed, this.reading);
    const groups = new Map(this.list.groups.map(({ number, files }) => [number, files]));
    for (const [number, kept] of [...this.kept])
      if (!(await this.extend(kept, groups.get(number) ?? []))) this.kept.delete(number);
    if (this.keptLoose && !(await this.extend(this.keptLoose, this.list.loose))) this.keptLoose = null;
  }

  close(): Promise<void> {
    return this.files.close();
  }

  private async read(files: readonly string[], isLast: boolean): Promise<KeptGroup> {
    const ends = this.mayGrow ? new Map<string, number>() : undefined;
    const index = await indexPacks(files, isLast || this.mayGrow, this.reading, ends);
    return { index, files, ends };
  }

  /** Returns false if a package of the group is gone, so that the index must be read again. */
  private async extend(kept: KeptGroup, files: readonly string[]): Promise<boolean> {
    const isGone = kept.files.some((file) => !files.includes(file));
    const found = isGone ? null : await readPackEntries(files, true, this.reading, kept.ends);
    // A program that copies packages may replace a file by a longer one.
    for (const file of found ? found.blocks.map((block) => block.file) : kept.files) this.files.forget(file);
    if (found === null) return false;
    kept.index.add(found);
    kept.files = files;
    return true;
  }
}
