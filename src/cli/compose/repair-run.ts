import { BASE } from '../../../pipelines/base.ts';
import type { EngineParts, LaneSettings } from '../../engine/engine-parts.ts';
import type { RecordArchive } from '../../engine/projection/stored-input.ts';
import {
  intersectRanges,
  joinNear,
  joinRanges,
  type PositionRange,
  subtractRanges,
} from '../../engine/ranges/position-ranges.ts';
import { readIslands } from '../../engine/versions/confirmed-islands.ts';
import { servedVersion } from '../../engine/versions/prepare-store.ts';
import { databaseOf } from '../../engine/versions/version-names.ts';
import { readVisible } from '../../engine/watermark/visible-span.ts';
import { readIndexFacts } from '../../projections/base/verify/index-facts.ts';
import { damagedSteps } from '../../projections/base/verify/store-damage.ts';
import { DERIVED_CHECKS, runVerify } from '../../projections/base/verify/verify-stage.ts';
import type { Session } from '../session.ts';
import { openSteps } from './open-steps.ts';
import { type LostStep, lostSteps, refillFromArchive, refillFromLog } from './repair-blocks.ts';
import { RepairLease } from './repair-lease.ts';
import { type BrokenPart, detachBrokenParts } from './repair-parts.ts';
import { deriveAgain, finishRepairs, rebuildSteps, type StepRepair } from './repair-steps.ts';
import { unstoredSteps } from './unstored-steps.ts';

const NEAR_STEPS = 64;

export interface RepairWatch {
  onStep(text: string): void;
}

/** What a repair did. */
export interface RepairReport {
  readonly brokenParts: readonly BrokenPart[];
  /** Steps that were damaged. */
  readonly damaged: readonly PositionRange[];
  /** Blocks that `raw_blocks` lacked and that were found elsewhere. */
  readonly blocksRestored: number;
  /** Steps that were decoded again. */
  readonly rebuilt: readonly PositionRange[];
  /** Steps of which blocks are left nowhere. */
  readonly lost: readonly LostStep[];
}

/**
 * Makes the served version whole: parts that cannot be read are put aside, `raw_blocks` is filled up from the log and
 * the archive, and every step that misses rows, or that nothing confirms, is decoded again from there. Steps whose blocks
 * are nowhere are left as they are, and named.
 * @throws RepairHeldError where another process repairs
 */
export async function repairStore(
  parts: EngineParts,
  settings: LaneSettings,
  archive: RecordArchive | null,
  session: Session,
  watch: RepairWatch,
): Promise<RepairReport> {
  const { client, identity } = parts;
  const { signal } = session;
  const lease = await RepairLease.take(parts.bus, settings.sessionMs, session);
  try {
    const version = await servedVersion(client, identity, BASE);
    const database = databaseOf(identity, BASE, version);
    const repair: StepRepair = { parts, settings, database, fence: () => lease.check(), signal };
    const brokenParts = await detachBrokenParts(client, database, (done, total, table) =>
      watch.onStep(`reading every part: ${table}, ${done} of ${total} tables`),
    );
    watch.onStep('looking for missing rows');
    // What lies between damaged steps is decoded with them: one range costs less than many.
    const damaged = joinNear(
      await allDamage(parts, database, version, signal),
      NEAR_STEPS,
      identity.epochSize,
    );
    watch.onStep('looking for blocks');
    let blocksRestored = await refillFromLog(parts, database, damaged, signal);
    const options = { client, from: database, to: database, ranges: damaged, signal };
    if (archive && damaged.length > 0) blocksRestored += await refillFromArchive(options, archive);
    const lost = damaged.length === 0 ? [] : await lostSteps(parts, database, damaged);
    const rebuilt = subtractRanges(
      damaged,
      lost.map(({ position }) => ({ first: position, last: position })),
    );
    watch.onStep(`decoding ${stepsIn(rebuilt)} steps again`);
    if (rebuilt.length > 0) await rebuildSteps(repair, rebuilt);
    else await finishRepairs(repair);
    watch.onStep('looking at merged tables');
    if (!(await derivedIsWhole(parts, database, signal))) {
      watch.onStep('deriving the newest states again');
      await deriveAgain(repair, await readIslands(client, database));
    }
    await client.flush();
    return { brokenParts, damaged, blocksRestored, rebuilt, lost };
  } finally {
    await lease.release();
  }
}

export function stepsIn(ranges: readonly PositionRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** Steps that miss rows, steps that nothing confirms, and steps that the log had written and the store lacks. */
async function allDamage(
  parts: EngineParts,
  database: string,
  version: number,
  signal: AbortSignal,
): Promise<PositionRange[]> {
  const { bus, client, identity } = parts;
  const isChain = identity.facts.continuity !== 'isolated';
  const open = await openSteps(bus, identity, version);
  const inStore = await damagedSteps(client, database, isChain ? 'chain' : 'isolated', open);
  const islands = await readIslands(client, database);
  const inLog = await unstoredSteps(parts, version, true, signal);
  const empty = isChain ? await emptySteps(parts, database, islands) : [];
  return joinRanges([...inStore, ...inLog, ...empty]);
}

/** Steps of a chain that are confirmed and have no masterchain block. */
async function emptySteps(
  { client }: EngineParts,
  database: string,
  islands: readonly PositionRange[],
): Promise<readonly PositionRange[]> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT before + 1, seqno - 1 FROM (
       SELECT seqno, lagInFrame(toInt64(seqno), 1, -1) OVER (ORDER BY seqno ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
       FROM ${database}.blocks WHERE workchain = -1
     ) WHERE before >= 0 AND seqno > before + 1`,
    { route: 'repair/empty', timeoutMs: 3_600_000, maxMemoryBytes: 0, maxRows: 10_000_000 },
  );
  const { rows: ends } = await client.queryRows<[number, number, string]>(
    `SELECT min(seqno), max(seqno), count() FROM ${database}.blocks WHERE workchain = -1`,
    { route: 'repair/empty', timeoutMs: 600_000 },
  );
  const [first, last, count] = ends[0] ?? [0, 0, '0'];
  const held = count === '0' ? [] : [{ first, last }];
  const gaps = rows.map(([from, to]) => ({ first: Number(from), last: Number(to) }));
  return intersectRanges(islands, [...gaps, ...subtractRanges(islands, held)]);
}

async function derivedIsWhole(
  { client, identity }: EngineParts,
  database: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { continuity } = identity.facts;
  const visible = await readVisible(client, database, continuity);
  const results = await runVerify({
    client,
    database,
    visible,
    look: () => readVisible(client, database, continuity),
    facts: await readIndexFacts(client, database, identity),
    checks: DERIVED_CHECKS,
    onProgress: () => {},
    signal,
  });
  return results.every(({ problems }) => problems === 0);
}
