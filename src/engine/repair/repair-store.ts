import type { DeletedRange } from '../../log/port.ts';
import type { AuditedParts, LaneSettings, RunScope } from '../engine-parts.ts';
import { partsOfVersion } from '../lanes/lane-options.ts';
import type { LostStep, StepArchive } from '../projection/stored-input.ts';
import { joinNear, joinRanges, type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';
import { lostColdBlocks } from '../verify/cold-blocks.ts';
import { openSteps } from '../verify/open-steps.ts';
import { unstoredSteps } from '../verify/unstored-steps.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import { readVisible } from '../watermark/visible-span.ts';
import { type BrokenPart, detachBrokenParts } from './broken-parts.ts';
import { finishRepairs, rebuildSteps, rederive, type StepRepair } from './rebuild-steps.ts';
import { refillFromLog } from './refill-from-log.ts';
import { RepairLease } from './repair-lease.ts';
import { findDeletedSteps, restoreSteps } from './restore-deleted.ts';

const NEAR_STEPS = 64;

export interface RepairWatch {
  onStep(text: string): void;
}

/** Result of a repair. */
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
  /** Records of the log that Kafka's retention or an operator deleted. */
  readonly deletedInLog: readonly DeletedRange[];
}

/**
 * Repairs the served version: detaches unreadable parts, restores `raw_blocks` from the log and the archive, and
 * decodes every step with missing or unconfirmed rows again. Steps without any copy of their blocks are left and
 * listed.
 * @throws RepairHeldError if another process repairs
 */
export async function repairStore(
  parts: AuditedParts,
  settings: LaneSettings,
  archive: StepArchive | null,
  { owner, signal, onStep }: Pick<RunScope, 'owner' | 'signal'> & RepairWatch,
): Promise<RepairReport> {
  const { client, identity, projection } = parts;
  const lease = await RepairLease.take(parts, settings.sessionMs, { owner, signal });
  try {
    const version = await servedVersion(client, identity, projection);
    const database = getDatabase(identity, projection, version);
    const written = await partsOfVersion({ ...parts, version });
    const repair: StepRepair = { parts: written, settings, database, fence: lease, signal };
    const brokenParts = await detachBrokenParts(client, database, (done, total, table) =>
      onStep(`reading every part: ${table}, ${done} of ${total} tables`),
    );
    onStep('looking for missing rows');
    // Steps between damaged ones are decoded with them: one range costs less than many.
    const found = await allDamage(parts, database, version, signal);
    onStep('looking for blocks');
    const { deleted, missing } = await findDeletedSteps(parts, version, signal);
    const fetched = await restoreSteps(parts, database, missing, { archive, signal });
    const damaged = joinNear([...found, ...fetched.restored], NEAR_STEPS, identity.epochSize);
    let blocksRestored = fetched.blocks + (await refillFromLog(parts, database, damaged, signal));
    const options = { client, from: database, to: database, ranges: damaged, signal, fromIndex: true };
    if (archive && damaged.length > 0)
      blocksRestored += await projection.input.restore(options, archive, false);
    const lostOfStore =
      damaged.length === 0 ? [] : await projection.input.lost({ client, database }, damaged);
    const lost = [...lostOfStore, ...fetched.lost];
    const rebuilt = subtractRanges(
      damaged,
      lost.map(({ position }) => ({ first: position, last: position })),
    );
    onStep(`decoding ${stepsIn(rebuilt)} steps again`);
    if (rebuilt.length > 0) await rebuildSteps(repair, rebuilt);
    else await finishRepairs(repair);
    onStep('looking at merged tables');
    if (!(await isDerivedComplete(parts, database, signal))) {
      onStep('deriving the newest states again');
      await rederive(repair, await readIslands(client, database));
    }
    await client.flush();
    // Only now: stages that wait for deleted records may continue after them.
    if (fetched.lost.length === 0) await parts.bus.passDeleted(projection.reads, deleted);
    return {
      brokenParts,
      damaged: joinRanges([...damaged, ...missing]),
      blocksRestored,
      rebuilt,
      lost,
      deletedInLog: deleted,
    };
  } finally {
    await lease.release();
  }
}

/** Steps of the ranges together. */
export function stepsIn(ranges: readonly PositionRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/**
 * Steps that miss rows, steps that nothing confirms, steps that the log had written and the store lacks, and steps whose
 * blocks are in no sealed file any more.
 */
async function allDamage(
  parts: AuditedParts,
  database: string,
  version: number,
  signal: AbortSignal,
): Promise<PositionRange[]> {
  const { client, identity, projection } = parts;
  const store = { client, database };
  // A log that cannot be read is replaced before it is verified.
  const open = await openSteps(parts, version, () => {});
  const inStore = await projection.audit.damagedSteps(store, identity, open);
  const islands = await readIslands(client, database);
  const inLog = await unstoredSteps(parts, version, true, signal);
  const empty = await projection.audit.emptySteps(store, identity, islands);
  const cold: PositionRange[] = [];
  for await (const { position } of lostColdBlocks(parts, database, signal))
    cold.push({ first: position, last: position });
  return joinRanges([...inStore, ...inLog, ...empty, ...cold]);
}

async function isDerivedComplete(
  { client, identity, projection }: AuditedParts,
  database: string,
  signal: AbortSignal,
): Promise<boolean> {
  const readRange = () => readVisible(client, database, identity.facts.continuity);
  const results = await projection.audit.verifyDerived({
    client,
    database,
    identity,
    visible: await readRange(),
    readRange,
    onProgress: () => {},
    signal,
  });
  return results.every(({ problems }) => problems === 0);
}
