import type { Following } from '../wire/partition-follower.ts';
import type { StoredRecord } from '../wire/record-batch.ts';
import { type IndexEntry, parseIndexKey, type Run, type Tail } from './index-records.ts';

/**
 * Positions of the committed records of a topic of steps: for each lane its runs, in order of offsets. A run is a range
 * of offsets with records of one epoch; markers and aborted records may lie between them. The topic's writer writes it
 * in the transaction of the records (index-records.ts).
 */
export class LaneIndex implements Following {
  readonly #lanes: Run[][];
  readonly #onChange: () => void;
  #tail: Tail | null = null;

  constructor(lanes: number, onChange: () => void) {
    this.#lanes = Array.from({ length: lanes }, () => []);
    this.#onChange = onChange;
  }

  get tail(): Tail | null {
    return this.#tail;
  }

  restart(): void {
    for (const runs of this.#lanes) runs.length = 0;
    this.#tail = null;
  }

  apply(records: readonly StoredRecord[]): void {
    for (const { key, value } of records) {
      const text = value && Buffer.from(value).toString('utf8');
      this.#put(key, text === null ? null : (JSON.parse(text) as IndexEntry));
    }
    if (records.length > 0) this.#onChange();
  }

  /** The lane's runs, oldest first. */
  runs(lane: number): readonly Run[] {
    return this.#lanes[lane] ?? [];
  }

  /** The run that contains `from`, or the first one after it. */
  find(lane: number, from: number): Run | undefined {
    const runs = this.runs(lane);
    return runs[firstWhere(runs, ({ next }) => next > from)];
  }

  /** The offset after the lane's last record; 0 if there is none. */
  end(lane: number): number {
    return this.runs(lane).at(-1)?.next ?? 0;
  }

  #put(key: string, entry: IndexEntry | null): void {
    const place = parseIndexKey(key);
    if (place === 'tail') {
      this.#tail = entry as Tail | null;
      return;
    }
    const runs = this.#lanes[place.lane];
    if (!runs) return;
    const at = firstWhere(runs, ({ first }) => first >= place.first);
    const known = runs[at]?.first === place.first ? 1 : 0;
    runs.splice(at, known, ...(entry ? [entry as Run] : []));
  }
}

/** Returns the index of the first item of a sorted list that passes the test, or the list's length. */
function firstWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
