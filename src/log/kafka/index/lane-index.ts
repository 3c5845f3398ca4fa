import type { Following } from '../wire/partition-follower.ts';
import type { StoredRecord } from '../wire/record-batch.ts';
import { type IndexEntry, parseIndexKey, type Run, type Tail } from './index-records.ts';

/**
 * Where the committed records of a topic of steps are: for each lane its runs, in order of their offsets. A run is a
 * range of offsets with records of one epoch only; between its records may lie markers and what was aborted. Written
 * by the topic's writer, in the transaction of the records themselves (index-records.ts).
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

  /** The run that holds `from`, or the first one behind it. */
  find(lane: number, from: number): Run | undefined {
    const runs = this.runs(lane);
    return runs[firstWhere(runs, ({ next }) => next > from)];
  }

  /** Behind the last record of the lane; 0 where there is none. */
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

/** The index of the first item of a sorted list that the test holds for; the list's length where there is none. */
function firstWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
