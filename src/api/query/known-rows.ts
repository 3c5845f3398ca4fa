import { BLOCK_TARGETS } from '../../tables/block-targets.ts';
import { getLookUp, keyBuilder } from '../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../tables/row-binary.ts';
import type { LookUps } from '../look-up-port.ts';
import type { VisibleRange } from '../version-vector.ts';
import { getLookUps, toBuffer } from './look-ups.ts';
import type { ReadScope } from './scope.ts';

const MASTERCHAIN_BLOCK = getLookUp(
  BLOCK_TARGETS.find(({ name }) => name === 'blocks_by_time')!,
  'masterchain_block',
);
const toKey = keyBuilder(MASTERCHAIN_BLOCK);

/** From where on the look-up index has all visible rows of a list. */
export interface KnownRows {
  /** Logical time, inclusive. */
  readonly lt: bigint;
  /** Unix seconds, inclusive. */
  readonly utime: number;
}

const ALL: KnownRows = { lt: 0n, utime: 0 };

/**
 * From where on an index has all visible rows of a version. Null: it lacks the newest ones. A masterchain block begins after
 * the end of all shard blocks that it or an earlier one names (`start_lt`), and no earlier than they were made: what lower
 * steps have is before it.
 */
export function findKnown(scope: ReadScope, lookUps: LookUps, visible: VisibleRange): KnownRows | null {
  const first = lookUps.coveredFrom(visible.last);
  if (first !== null && first <= visible.first) return ALL;
  const base = getLookUps(scope, scope.databases.base, MASTERCHAIN_BLOCK.lookUp.name);
  const ownFirst = base?.coveredFrom(visible.last) ?? null;
  const row =
    first !== null && ownFirst !== null
      ? base?.get(MASTERCHAIN_BLOCK.lookUp.name, toKey(Math.max(first, ownFirst)))
      : null;
  if (!row) return lackRows(lookUps, visible);
  const values = new RowBinary(toBuffer(row.value));
  // Blocks of the step before may be of the same second.
  return { lt: values.u64(), utime: values.u32() + 1 };
}

/** Null, after it is counted that rows are missing: a statement has to find them. */
export function lackRows(lookUps: LookUps, visible: VisibleRange): null {
  lookUps.covers(visible);
  return null;
}
