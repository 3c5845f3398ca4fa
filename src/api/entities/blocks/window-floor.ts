import type { ReadScope } from '../../query/scope.ts';

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
  const [row] = await scope.query({
    sql:
      `SELECT toString(min(start_lt)), min(gen_utime), count() > 0 FROM ${scope.databases.base}.blocks` +
      ' PREWHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}',
    params: { ...scope.visible },
  });
  const [lt, utime, isAny] = (row ?? ['0', 0, false]) as [string, number, boolean | number];
  return isAny ? { startLt: BigInt(lt), startUtime: utime } : null;
}
