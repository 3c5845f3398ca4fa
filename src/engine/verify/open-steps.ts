import type { Bus, LaneBounds, LogRecord } from '../../log/port.ts';
import type { EngineParts } from '../engine-parts.ts';
import { getGroup } from '../versions/version-names.ts';
import { committedOffsets, readRetained } from './log-pass.ts';

const ONE = { records: 1, bytes: 1 } as const;
/** Offsets before the end of a lane that may hold no record. */
const MARKERS = 8;

/**
 * Steps that may be in transit to a version of the store, as a condition on `mc_seqno`: the log's steps after the
 * committed offset of a lane, and all later ones.
 */
export async function openSteps(
  { bus, identity, projection }: Pick<EngineParts, 'bus' | 'identity' | 'projection'>,
  version: number,
): Promise<string> {
  const { epochSize, lanes } = identity;
  const { reads } = projection;
  const committed = await committedOffsets(bus, reads, getGroup(projection, version));
  const conditions: string[] = [];
  for (const { lane, first, next } of await bus.bounds(reads)) {
    const ofLane = `intDiv(mc_seqno, ${epochSize}) % ${lanes} = ${lane}`;
    const at = Math.max(first, committed.get(lane) ?? 0);
    const [waiting] = at < next ? await readRetained(bus, { topic: reads, lane, from: at }, ONE) : [];
    if (waiting) {
      const { epoch, position } = waiting;
      conditions.push(
        `(${ofLane} AND (intDiv(mc_seqno, ${epochSize}) != ${epoch} OR mc_seqno >= ${position}))`,
      );
      continue;
    }
    const last = await lastRecord(bus, reads, { lane, first, next });
    conditions.push(last ? `(${ofLane} AND mc_seqno > ${last.position})` : `(${ofLane})`);
  }
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`;
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
