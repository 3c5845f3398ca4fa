import { BASE } from '../../../pipelines/base.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { type PositionRange, subtractRanges } from '../../engine/ranges/position-ranges.ts';
import { readIslands } from '../../engine/versions/confirmed-islands.ts';
import { databaseOf, groupOf } from '../../engine/versions/version-names.ts';
import type { Bus, LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { CheckResult } from '../../projections/base/verify/check.ts';
import { committedOffsets, logRecords, MetPositions } from './log-pass.ts';

interface Parts {
  readonly bus: Bus;
  readonly client: StoreClient;
  readonly identity: LogIdentity;
}

/**
 * Steps that the log has handed over to a version of the store and that nothing there confirms. `isFull`: where only the
 * records tell which these are, they are read; else none are found there.
 */
export async function unstoredSteps(
  { bus, client, identity }: Parts,
  version: number,
  isFull: boolean,
  signal: AbortSignal,
): Promise<PositionRange[]> {
  const group = groupOf(BASE, version);
  const told = await bus.committedPositions(RAW_BLOCKS, group);
  const handed = told ?? (isFull ? await readPositions(bus, group, signal) : []);
  // Afterwards: what is committed by then is confirmed.
  return subtractRanges(handed, await readIslands(client, databaseOf(identity, BASE, version)));
}

async function readPositions(
  bus: Bus,
  group: string,
  signal: AbortSignal,
): Promise<readonly PositionRange[]> {
  const committed = await committedOffsets(bus, group);
  const met = new MetPositions();
  for await (const records of logRecords(bus, signal)) {
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
