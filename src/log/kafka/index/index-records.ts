import { DataError } from '../../../platform/errors/error-kinds.ts';

/** Offsets of one lane, `first` to before `next`, whose records are all of one epoch. */
export interface Run {
  readonly lane: number;
  readonly epoch: number;
  readonly first: number;
  readonly next: number;
  readonly records: number;
  /** Bytes of the values before compression. */
  readonly bytes: number;
}

/** The last record of the step with the highest position, and the append that was the newest when this was written. */
export interface Tail {
  readonly position: number;
  readonly lane: number;
  readonly offset: number;
  readonly append: string;
}

/** Records of the index topic, which is compacted: the newest record of a key counts. */
export type IndexEntry = Run | Tail;

/** A tombstone has no entry. */
export interface IndexRecord {
  readonly key: string;
  readonly entry: IndexEntry | null;
}

const TAIL = 'tail';

export const tailRecord = (entry: Tail): IndexRecord => ({ key: TAIL, entry });

export const runRecord = (entry: Run): IndexRecord => ({ key: runKey(entry), entry });

/** Forgets a run that was trimmed. */
export const forgottenRun = (run: Run): IndexRecord => ({ key: runKey(run), entry: null });

const runKey = ({ lane, first }: Run) => `run/${lane}/${first}`;

/** The index holds something that this program does not know. */
export class IndexRecordError extends DataError {
  constructor(key: string) {
    super(`index record: expected "tail" or "run/LANE/OFFSET", found "${key}"`);
  }
}

export function parseIndexKey(key: string): typeof TAIL | { readonly lane: number; readonly first: number } {
  if (key === TAIL) return TAIL;
  const [, lane, first] = /^run\/(\d+)\/(\d+)$/.exec(key) ?? [];
  if (lane === undefined || first === undefined) throw new IndexRecordError(key);
  return { lane: Number(lane), first: Number(first) };
}
