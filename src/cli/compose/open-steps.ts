import { BASE } from '../../../pipelines/base.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { groupOf } from '../../engine/versions/version-names.ts';
import type { Bus, LogIdentity, LogRecord } from '../../log/port.ts';

const ONE = { records: 1, bytes: 1 } as const;
/** Offsets before the end of a lane that may hold no record. */
const MARKERS = 8;

/**
 * Steps that may be on their way into a version of the store, as a condition on `mc_seqno`: what the log has of a lane
 * behind the committed offset, and whatever is appended from now on.
 */
export async function openSteps(
  bus: Bus,
  { epochSize, lanes }: LogIdentity,
  version: number,
): Promise<string> {
  const group = groupOf(BASE, version);
  const committed = new Map(
    (await bus.lag())
      .filter((lag) => lag.topic === RAW_BLOCKS && lag.group === group)
      .map((lag) => [lag.lane, lag.committed]),
  );
  const conditions: string[] = [];
  for (const { lane, first, next } of await bus.bounds(RAW_BLOCKS)) {
    const ofLane = `intDiv(mc_seqno, ${epochSize}) % ${lanes} = ${lane}`;
    const at = Math.max(first, committed.get(lane) ?? 0);
    const [waiting] = at < next ? await bus.read(RAW_BLOCKS, lane, at, ONE) : [];
    if (waiting) {
      const { epoch, position } = waiting;
      conditions.push(
        `(${ofLane} AND (intDiv(mc_seqno, ${epochSize}) != ${epoch} OR mc_seqno >= ${position}))`,
      );
      continue;
    }
    const last = await lastRecord(bus, lane, first, next);
    conditions.push(last ? `(${ofLane} AND mc_seqno > ${last.position})` : `(${ofLane})`);
  }
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`;
}

/** The record before the end of a lane; null where none is kept. */
export async function lastRecord(
  bus: Bus,
  lane: number,
  first: number,
  end: number,
): Promise<LogRecord | null> {
  for (let at = end - 1; at >= first && at >= end - MARKERS; at--) {
    const record = (await bus.read(RAW_BLOCKS, lane, at, ONE)).filter(({ offset }) => offset < end).at(-1);
    if (record) return record;
  }
  return null;
}
