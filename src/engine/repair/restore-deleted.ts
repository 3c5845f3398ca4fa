import type { DeletedRange, LogRecord, NewStep } from '../../log/port.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import { coldRecords } from '../cold/cold-records.ts';
import type { AuditedParts } from '../engine-parts.ts';
import type { LostStep, StepArchive } from '../projection/stored-input.ts';
import { joinRanges, type PositionRange, subtractRanges } from '../ranges/position-ranges.ts';
import { committedOffsets, logRecords, MetPositions } from '../verify/log-pass.ts';
import { readIslands } from '../versions/confirmed-islands.ts';
import { getDatabase, getGroup } from '../versions/version-names.ts';

/** Steps that a chain's store lacks and that the log does not have any more. */
export interface DeletedSteps {
  /** What was deleted in the log. */
  readonly deleted: readonly DeletedRange[];
  readonly missing: readonly PositionRange[];
}

/**
 * Finds the steps that were deleted in the log before the store had them: between the first step of the store and the
 * newest one of the log, those that neither has.
 */
export async function findDeletedSteps(
  parts: AuditedParts,
  version: number,
  signal: AbortSignal,
): Promise<DeletedSteps> {
  const { bus, client, identity, projection } = parts;
  const deleted = await bus.deleted(projection.reads);
  if (deleted.length === 0 || identity.facts.continuity === 'isolated') return { deleted, missing: [] };
  const unread = await unreadEpochs(parts, version, deleted);
  const kept = new MetPositions();
  for await (const records of logRecords(bus, projection.reads, signal))
    kept.add(records.map(({ position }) => position));
  // Afterwards: what was written meanwhile is confirmed.
  const islands = await readIslands(client, getDatabase(identity, projection, version));
  const known = joinRanges([...islands, ...kept.ranges]);
  const newest = Math.max(await bus.highest(projection.reads), known.at(-1)?.last ?? 0);
  const first = known[0]?.first ?? newest + 1;
  // Nothing says where the log began if its first steps are gone: their whole epoch counts.
  const begins = unread.filter((epoch) => epoch <= Math.floor(first / identity.epochSize));
  const from = Math.min(first, ...begins.map((epoch) => epoch * identity.epochSize));
  return { deleted, missing: subtractRanges([{ first: from, last: newest }], known) };
}

/** First epochs of deleted records in lanes of which the store has read nothing. */
async function unreadEpochs(
  { bus, projection }: AuditedParts,
  version: number,
  deleted: readonly DeletedRange[],
): Promise<readonly number[]> {
  const committed = await committedOffsets(bus, projection.reads, getGroup(projection, version));
  return deleted.filter(({ lane }) => (committed.get(lane) ?? 0) === 0).map(({ firstEpoch }) => firstEpoch);
}

/** Steps that were restored, and those that were not. */
export interface RestoredSteps {
  readonly restored: readonly PositionRange[];
  readonly blocks: number;
  readonly lost: readonly LostStep[];
}

/**
 * Reads missing steps from an archive into the stored input. Each range continues the chain of the stored step before it,
 * and the stored step after it must be the archive's.
 * @throws OtherChainError, and the errors of the archive's chain
 */
export async function restoreSteps(
  parts: AuditedParts,
  database: string,
  missing: readonly PositionRange[],
  { archive, signal }: { readonly archive: StepArchive | null; readonly signal: AbortSignal },
): Promise<RestoredSteps> {
  const restored: PositionRange[] = [];
  let blocks = 0;
  for (const range of archive ? missing : []) {
    for await (const step of readSteps(parts, database, range, { archive: archive!, signal })) {
      if (step.position > range.last) {
        await requireStored(parts, database, step, archive!.name);
        break;
      }
      const { client, codec, projection } = parts;
      blocks += await projection.input.refill({ client, database }, asLogged(step), codec);
      restored.push({ first: step.position, last: step.position });
    }
  }
  const reason = archive
    ? `it was deleted in the log, and ${archive.name} does not have it`
    : 'it was deleted in the log';
  const lost = subtractRanges(missing, restored).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => ({ position: first + at, reason })),
  );
  return { restored: joinRanges(restored), blocks, lost };
}

/** The archive's steps from the beginning of a range on; none if neither the store nor the log has the step before it. */
async function* readSteps(
  parts: AuditedParts,
  database: string,
  { first }: PositionRange,
  { archive, signal }: { readonly archive: StepArchive; readonly signal: AbortSignal },
): AsyncGenerator<NewStep> {
  const { client, codec, identity, projection } = parts;
  const before = { first: first - 1, last: first - 1 };
  const encoding = { codec, network: identity.network, signal, cold: coldRecords(parts) };
  const stored = await projection.input.records({ client, database }, before, encoding);
  const tip = stored.get(first - 1)?.at(-1) ?? (await loggedEnd(parts, first - 1, signal));
  if (tip) yield* archive.stepsAfter(tip, { identity, codec, signal });
}

/** The last record of a step in the log; null if the log does not have it. */
async function loggedEnd(
  { bus, projection }: AuditedParts,
  position: number,
  signal: AbortSignal,
): Promise<LogRecord | null> {
  for await (const records of logRecords(bus, projection.reads, signal)) {
    const end = records.find((record) => record.position === position && record.endsStep);
    if (end) return end;
  }
  return null;
}

/** The archive continues with another step than the one that is stored after the restored ones. */
export class OtherChainError extends ConflictError {
  constructor(key: string, archive: string, expected: string, found: string | undefined) {
    super(`${archive} has ${key} with root hash ${found}, the store has it with ${expected}`);
  }
}

async function requireStored(
  { client, projection }: AuditedParts,
  database: string,
  { position, records }: NewStep,
  archive: string,
): Promise<void> {
  const last = records.at(-1)!;
  const known = await projection.input.rootHash({ client, database }, last.key, position);
  if (known !== null && known !== last.headers.root_hash)
    throw new OtherChainError(last.key, archive, known, last.headers.root_hash);
}

function asLogged({ records, ...place }: NewStep): LogRecord[] {
  return records.map((record, at) => ({
    ...record,
    ...place,
    offset: at,
    endsStep: at === records.length - 1,
    appendedAt: 0,
  }));
}
