import { ControlRefusal } from '../control-refusal.ts';
import { type ChainChange, type ChainChangeResult, SnapshotFolder } from './snapshot-folder.ts';

/** A snapshot has about 10 MB at least. */
const MAX_SNAPSHOTS = 1_000;

/**
 * Snapshots of a running chain with its log and index. A change needs files that nobody writes, so it is requested here, and the
 * next process makes it (`makeRequestedChange`).
 */
export class ChainSnapshots {
  private readonly folder: SnapshotFolder;
  private readonly restart: () => void;
  private isRestarting = false;

  /** `restart`: ends this process in order and starts the next one. */
  constructor(data: string, restart: () => void) {
    this.folder = new SnapshotFolder(data);
    this.restart = restart;
  }

  /** Ids, oldest first. */
  ids(): string[] {
    return this.folder.ids();
  }

  /** The last change that was made, or could not be; null for none. */
  last(): ChainChangeResult | null {
    return this.folder.last();
  }

  /** Requests a snapshot. @throws ControlRefusal */
  take(): ChainChange {
    const count = this.ids().length;
    if (count >= MAX_SNAPSHOTS)
      throw new ControlRefusal(
        `snapshots: expected fewer than ${MAX_SNAPSHOTS}, found ${count}: remove folders of ${this.folder.path}`,
      );
    return this.request('snapshot', this.folder.nextId());
  }

  /** Requests the return to a snapshot. @throws ControlRefusal */
  revert(id: unknown): ChainChange {
    const ids = this.ids();
    if (typeof id !== 'string' || !ids.includes(id)) {
      const expected = ids.length === 0 ? 'a snapshot, but there is none' : `one of ${listed(ids)}`;
      throw new ControlRefusal(`id: expected ${expected}, found ${String(id).slice(0, 100)}`);
    }
    return this.request('revert', id);
  }

  private request(kind: ChainChange['kind'], id: string): ChainChange {
    if (this.isRestarting) throw new ControlRefusal('the chain restarts for another snapshot or revert');
    const change = { number: (this.last()?.number ?? 0) + 1, kind, id };
    this.folder.request(change);
    this.isRestarting = true;
    // The answer is sent first.
    setImmediate(this.restart);
    return change;
  }
}

function listed(ids: readonly string[]): string {
  const newest = ids.slice(-10).join(', ');
  return ids.length > 10 ? `${ids.length} snapshots, the newest ${newest}` : newest;
}
