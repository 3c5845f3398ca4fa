/**
 * Appending to a topic of steps.
 *
 * `log.sqlite` and the segments are separate files, so one transaction cannot cover both. The protocol:
 *
 *  1. Plan (log.sqlite): check the lease's generation, take the published end of each lane as the first offset,
 *     register missing segments. A segment is registered before its file exists.
 *  2. Write (each segment, its own transaction): raise the segment's fence to the generation, or stop where it
 *     is higher already; delete everything from the first offset on, which an append that died between
 *     2 and 3 left; insert the records.
 *  3. Publish (log.sqlite, one transaction): check the generation, the lanes' ends and the segments again, then
 *     move the ends, extend the runs, set the tail and renew the lease.
 *
 * Readers use `runs` and never read beyond the published end, so step 3 makes all steps readable at once or none. The
 * fence closes the only race: an owner that was paused before 2 while a newer one wrote the same offsets cannot
 * overwrite them, because the newer generation is in the segment before it is published; an owner paused between 2 and
 * 3 is stopped by 3, and what it wrote is deleted by the next write to that segment. Segments are flushed
 * (synchronous=FULL) before the end that names them is: a power cut cannot publish a hole.
 */
import { writerResource } from '../coordination/apply-writer.ts';
import { FencedError } from '../errors.ts';
import type { LogStore } from './log-store.ts';
import { planAppend, type SegmentPlan, type StepMeta } from './plan-append.ts';
import type { Segment } from './segment-files.ts';
import { checkWriter, renewWriter, type WriterHandle } from './writer-lease.ts';

/** Appends the steps; `values` has their concatenated values. An empty list only renews the lease. */
export function appendSteps(
  store: LogStore,
  writer: WriterHandle,
  steps: readonly StepMeta[],
  values: Uint8Array,
): void {
  while (true) {
    const plans = planAppend(store, writer, steps, values);
    const appendedAt = Date.now();
    for (const plan of plans) writeSegment(store, writer, plan, appendedAt);
    if (publishAppend(store, writer, plans)) return;
  }
}

/** Step 2, for one segment. Exported, as is `publishAppend`, so that a test can stop a writer between them. */
export function writeSegment(
  store: LogStore,
  writer: WriterHandle,
  plan: SegmentPlan,
  appendedAt: number,
): void {
  const file = store.segments.write(plan.segment);
  file.transaction(() => {
    const fence = file.get<{ generation: number }>('SELECT generation FROM fence')?.generation ?? 0;
    if (fence > writer.generation)
      throw new FencedError(writerResource(writer.topic), writer.generation, fence);
    if (fence < writer.generation) file.run('UPDATE fence SET generation = ?', writer.generation);
    file.run('DELETE FROM records WHERE offset >= ?', plan.base);
    for (const { offset, position, endsStep, key, headers, value } of plan.records) {
      file.run(
        'INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)',
        offset,
        position,
        endsStep ? 1 : 0,
        appendedAt,
        key,
        headers,
        value,
      );
    }
  });
}

/** Step 3. False if a lane's end or a segment changed since the plan: the caller plans again. */
export function publishAppend(store: LogStore, writer: WriterHandle, plans: readonly SegmentPlan[]): boolean {
  const { log } = store;
  return log.transaction(() => {
    checkWriter(store, writer);
    for (const { segment, base } of plans) {
      const known = log.get(
        'SELECT 1 FROM segments s JOIN lanes l USING (topic, lane) WHERE s.id = ? AND l.next = ?',
        segment.id,
        base,
      );
      if (!known) return false;
    }
    for (const { segment, runs } of plans) for (const run of runs) publishRun(store, segment, run);
    for (const { segment, runs } of plans) {
      const next = Math.max(...runs.map((run) => run.next));
      log.run(
        'UPDATE lanes SET next = max(next, ?) WHERE topic = ? AND lane = ?',
        next,
        segment.topic,
        segment.lane,
      );
    }
    for (const plan of plans) moveTail(store, plan);
    renewWriter(store, writer);
    return true;
  });
}

function publishRun({ log }: LogStore, segment: Segment, run: { first: number; next: number }): void {
  const extended = log.run(
    'UPDATE runs SET next = ? WHERE topic = ? AND lane = ? AND segment = ? AND next = ?',
    run.next,
    segment.topic,
    segment.lane,
    segment.id,
    run.first,
  );
  if (extended > 0) return;
  log.run(
    'INSERT INTO runs VALUES (?, ?, ?, ?, ?)',
    segment.topic,
    segment.lane,
    run.first,
    run.next,
    segment.id,
  );
}

/** Records the highest position: read at start, so that capture continues from there. */
function moveTail({ log }: LogStore, { segment, records }: SegmentPlan): void {
  const ends = records.filter((record) => record.endsStep);
  const last = ends.reduce((best, record) => (record.position >= best.position ? record : best));
  log.run(
    `UPDATE topics SET tail_position = ?1, tail_segment = ?2, tail_offset = ?3
     WHERE topic = ?4 AND (tail_position IS NULL OR tail_position <= ?1)`,
    last.position,
    segment.id,
    last.offset,
    segment.topic,
  );
}
