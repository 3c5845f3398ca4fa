import type { AuditedParts } from '../engine-parts.ts';
import type { AuditOptions, CheckResult } from '../projection/table-audit.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase } from '../versions/version-names.ts';
import { readVisible } from '../watermark/visible-span.ts';
import { checkColdBlocks } from './cold-blocks.ts';
import { checkDeletedRecords } from './deleted-records.ts';
import { openSteps } from './open-steps.ts';
import { checkHandedSteps } from './unstored-steps.ts';

/** Findings of `verify` in the served version of a projection. */
export interface VersionChecks {
  readonly database: string;
  /** The confirmed range when it began; null where nothing was. */
  readonly visible: PositionRange | null;
  readonly checks: readonly CheckResult[];
}

export interface VerifyScope extends Pick<AuditOptions, 'onProgress' | 'signal'> {
  /** Reads records of the log if only they show the delivered steps. */
  readonly isFull: boolean;
}

/** Checks the served version against itself and against what the log has handed over. Nothing is written. */
export async function verifyVersion(
  parts: AuditedParts,
  { isFull, onProgress, signal }: VerifyScope,
): Promise<VersionChecks> {
  const { client, identity, projection } = parts;
  const version = await servedVersion(client, identity, projection);
  const database = getDatabase(identity, projection, version);
  const readRange = () => readVisible(client, database, identity.facts.continuity);
  const visible = await readRange();
  const unreadable = new Set<string>();
  const checks = await projection.audit.verify({
    client,
    database,
    identity,
    visible,
    readRange,
    open: () => openSteps(parts, version, ({ message }) => unreadable.add(message)),
    onProgress,
    signal,
  });
  const handed = await checkHandedSteps(parts, version, isFull, signal);
  const deleted = await checkDeletedRecords(parts, version);
  const cold = await checkColdBlocks(parts, database, signal);
  return { checks: [...checks, handed, deleted, toLogCheck(unreadable), cold], visible, database };
}

/** Files of the log that could not be read as a check. */
function toLogCheck(unreadable: ReadonlySet<string>): CheckResult {
  return {
    name: 'log-ends',
    law: 'the ends of the lanes of the log can be read',
    problems: unreadable.size,
    samples: [...unreadable],
  };
}
