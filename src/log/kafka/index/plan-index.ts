import type { NewStep } from '../../port.ts';
import {
  forgottenRun,
  type IndexRecord,
  type Run,
  runRecord,
  type Tail,
  tailRecord,
} from './index-records.ts';
import type { LaneIndex } from './lane-index.ts';

/** A step whose records the broker has, from `first` on. */
export interface PlacedStep {
  readonly step: NewStep;
  readonly first: number;
}

/** Maximum tombstones of one append: trimmed runs are removed step by step. */
const MAX_FORGOTTEN = 100;

/** Index record of an append: the runs that it began or extended, the tail, and the trimmed bounds. */
export function planIndex(
  index: LaneIndex,
  low: readonly number[],
  placed: readonly PlacedStep[],
  append: string,
): IndexRecord[] {
  const runs = new Map<number, Run[]>();
  let tail: Tail | null = index.tail && { ...index.tail, append };
  for (const { step, first } of placed) {
    const { lane, position, records } = step;
    const of = runs.get(lane) ?? growing(index, low, lane);
    runs.set(lane, of);
    extend(of, step, first);
    if (!tail || position >= tail.position)
      tail = { position, lane, offset: first + records.length - 1, append };
  }
  const changed = [...runs.values()].flat().filter((run) => !index.runs(run.lane).includes(run));
  return [...forgotten(index, low), ...changed.map(runRecord), ...(tail ? [tailRecord(tail)] : [])];
}

/** The lane's last run may grow, unless it was trimmed. */
function growing(index: LaneIndex, low: readonly number[], lane: number): Run[] {
  const last = index.runs(lane).at(-1);
  return last && last.next > (low[lane] ?? 0) ? [last] : [];
}

function extend(runs: Run[], { lane, epoch, records }: NewStep, first: number): void {
  const added = {
    records: records.length,
    bytes: records.reduce((sum, { value }) => sum + value.byteLength, 0),
  };
  const next = first + records.length;
  const last = runs.at(-1);
  if (last?.epoch !== epoch) {
    runs.push({ lane, epoch, first, next, ...added });
    return;
  }
  runs[runs.length - 1] = {
    ...last,
    next,
    records: last.records + added.records,
    bytes: last.bytes + added.bytes,
  };
}

/** Trimmed runs, but never a lane's last: it marks the lane's end. */
function forgotten(index: LaneIndex, low: readonly number[]): IndexRecord[] {
  return low
    .flatMap((oldest, lane) => {
      const runs = index.runs(lane);
      return runs.slice(0, -1).filter(({ next }) => next <= oldest);
    })
    .slice(0, MAX_FORGOTTEN)
    .map(forgottenRun);
}
