import type { EngineParts } from '../engine-parts.ts';
import type { TableProjection } from '../projection/projection.ts';
import type { AuditedProjection, AuditPart, CheckResult } from '../projection/table-audit.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';
import { countedRows } from '../verify/verify-chain.ts';

/** One portion of a version's tables. */
export interface PortionParts extends Pick<EngineParts, 'client' | 'identity'> {
  readonly projection: TableProjection | AuditedProjection;
  readonly database: string;
  readonly visible: PositionRange;
  readonly signal: AbortSignal;
}

/** Parts that the accounts of a projection are looked at in; 0: none of its checks is by account. */
export function getAccountParts(projection: TableProjection | AuditedProjection): number {
  return 'audit' in projection ? projection.audit.accountParts : 0;
}

/** Verifies one portion: with every check of the projection if it has any, else by the counted rows of each step. */
export async function provePart(parts: PortionParts, part: AuditPart): Promise<readonly CheckResult[]> {
  const { projection, database } = parts;
  if ('audit' in projection) return projection.audit.verifyPart({ ...parts, onProgress() {} }, part);
  if (!('steps' in part)) return [];
  return [await countedRows({ ...parts, projection }, database, [part.steps], { max_threads: 1 })];
}
