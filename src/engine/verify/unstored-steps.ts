import type { Bus } from '../../log/port.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import { type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { getDatabase, getGroup } from '../versions/version-names.ts';
import { committedOffsets, logRecords, MetPositions } from './log-pass.ts';

type Parts = Pick<EngineParts, 'bus' | 'client' | 'identity' | 'projection'>;

/**
 * Steps that the log has delivered to a version of the store, but that are not confirmed there. `isFull`: reads records
 * if only they show these steps; otherwise none are found there.
 */
export async function unstoredSteps(
  { bus, client, identity, projection }: Parts,
  version: number,
  isFull: boolean,
  signal: AbortSignal,
): Promise<PositionRange[]> {
  const { reads } = projection;
  const group = getGroup(projection, version);
  const committedByLane = await bus.committedPositions(reads, group);
  const handed = committedByLane ?? (isFull ? await readPositions({ bus, topic: reads, group }, signal) : []);
  // Afterwards: everything committed by then is confirmed.
  return subtractRanges(handed, await readIslands(client, getDatabase(identity, projection, version)));
}

async function readPositions(
  { bus, topic, group }: { readonly bus: Bus; readonly topic: string; readonly group: string },
  signal: AbortSignal,
): Promise<readonly PositionRange[]> {
  const committed = await committedOffsets(bus, topic, group);
  const met = new MetPositions();
  for await (const records of logRecords(bus, topic, signal)) {
    const done = records.filter(({ lane, offset }) => offset < (committed.get(lane) ?? 0));
    met.add(done.map(({ position }) => position));
  }
  return met.ranges;
}

/** The law of `unstoredSteps` as a check of `verify`. */
export async function checkHandedSteps(
  parts: Parts,
  version: number,
  isFull: boolean,
  signal: AbortSignal,
): Promise<CheckResult> {
  const missing = await unstoredSteps(parts, version, isFull, signal);
  return {
    name: 'handed-steps',
    law: 'every step that the log has handed over is confirmed in the store',
    problems: missing.length,
    samples: missing
      .slice(0, 5)
      .map(({ first, last }) => `masterchain ${first} to ${last} were indexed and are not confirmed`),
  };
}
