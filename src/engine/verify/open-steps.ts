import { UnreadableLogError } from '../../log/errors.ts';
import type { Bus, LaneBounds, LogRecord } from '../../log/port.ts';
import type { EngineParts } from '../engine-parts.ts';
import { getGroup } from '../versions/version-names.ts';
import { committedOffsets, readRetained } from './log-pass.ts';

const ONE = { records: 1, bytes: 1 } as const;
/** Offsets before the end of a lane that may hold no record. */
const MARKERS = 8;

/**
 * Steps that may be in transit to a version of the store, as a condition on `mc_seqno`: the log's steps after the
 * committed offset of a lane, and all later ones. If the end of a lane cannot be read, all steps of the lane.
 * `onUnreadable`: called with the reason.
 */
export async function openSteps(
  { bus, identity, projection }: Pick<EngineParts, 'bus' | 'identity' | 'projection'>,
  version: number,
  onUnreadable: (error: UnreadableLogError) => void,
): Promise<string> {
  const { epochSize, lanes } = identity;
  const { reads } = projection;
  const committed = await committedOffsets(bus, reads, getGroup(projection, version));
  const conditions: string[] = [];
  for (const { lane, first, next } of await bus.bounds(reads)) {
    const ofLane = `intDiv(mc_seqno, ${epochSize}) % ${lanes} = ${lane}`;
    const at = Math.max(first, committed.get(lane) ?? 0);
    const isOpen = openInLane(bus, reads, { lane, first, next, at }, epochSize).catch((error: unknown) => {
      if (!(error instanceof UnreadableLogError)) throw error;
      onUnreadable(error);
      return null;
    });
    conditions.push([ofLane, await isOpen].filter((part) => part !== null).join(' AND '));
  }
  return conditions.length === 0 ? '0' : `((${conditions.join(') OR (')}))`;
}

/** Condition on the steps of a lane; null: all of them. `at`: the first record that is not committed. */
async function openInLane(
  bus: Bus,
  topic: string,
  { lane, first, next, at }: LaneBounds & { readonly at: number },
  epochSize: number,
): Promise<string | null> {
  const [waiting] = at < next ? await readRetained(bus, { topic, lane, from: at }, ONE) : [];
  if (waiting)
    return `(intDiv(mc_seqno, ${epochSize}) != ${waiting.epoch} OR mc_seqno >= ${waiting.position})`;
  const last = await lastRecord(bus, topic, { lane, first, next });
  return last && `mc_seqno > ${last.position}`;
}

/** The record before the end of a lane; null where none is kept. */
async function lastRecord(
  bus: Bus,
  topic: string,
  { lane, first, next }: LaneBounds,
): Promise<LogRecord | null> {
  for (let at = next - 1; at >= first && at >= next - MARKERS; at--) {
    const record = (await readRetained(bus, { topic, lane, from: at }, ONE))
      .filter(({ offset }) => offset < next)
      .at(-1);
    if (record) return record;
  }
  return null;
}
