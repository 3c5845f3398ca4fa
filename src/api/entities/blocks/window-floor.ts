import type { ReadScope } from '../../query/scope.ts';
import { identifier, sql, u32 } from '../../query/sql.ts';

/** Nothing of later masterchain steps is older than this. */
export interface WindowFloor {
  readonly startLt: bigint;
  readonly startUtime: number;
}

/**
 * The lowest lt and time of the blocks of the scope's steps; null if there is none. Lists by lt or time find the rows
 * of later steps with it, without reading from the beginning.
 */
export async function readWindowFloor(scope: ReadScope): Promise<WindowFloor | null> {
  const { first, last } = scope.visible;
  const [row] = await scope.query(
    sql`SELECT toString(min(start_lt)), min(gen_utime), count() > 0 FROM ${identifier(scope.databases.base, 'blocks')} PREWHERE mc_seqno BETWEEN ${u32(first)} AND ${u32(last)}`,
  );
  const [lt, utime, isAny] = (row ?? ['0', 0, false]) as [string, number, boolean | number];
  return isAny ? { startLt: BigInt(lt), startUtime: utime } : null;
}
