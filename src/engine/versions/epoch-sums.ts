import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import type { EpochSum, EpochSums } from '../projection/version-pair.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';
import type { CountedTarget } from '../sink/sink-definition.ts';
import { comparedColumns, hashable, type TypedColumn } from './clone-table.ts';

export const NO_ROWS: EpochSum = { rows: 0n, checksum: 0n };

export interface SumScope {
  readonly ranges: readonly PositionRange[];
  readonly epochSize: number;
}

/**
 * Counts and checksums of one table of two versions, by epoch, over the columns that both have. A table that the old
 * version has not is without rows there.
 */
export async function readEpochSums(
  client: StoreClient,
  target: Pick<CountedTarget, 'table' | 'packed'>,
  { from, to }: { readonly from: string; readonly to: string },
  scope: SumScope,
): Promise<{ readonly old: EpochSums; readonly next: EpochSums }> {
  const { table } = target;
  const columns = await comparedColumns(client, { from, to }, target);
  if (columns.length === 0)
    return { old: new Map(), next: await readSums(client, `${to}.${table}`, [], scope) };
  return {
    old: await readSums(client, `${from}.${table}`, columns, scope),
    next: await readSums(client, `${to}.${table}`, columns, scope),
  };
}

async function readSums(
  client: StoreClient,
  table: string,
  columns: readonly TypedColumn[],
  { ranges, epochSize }: SumScope,
): Promise<EpochSums> {
  const checksum = columns.length > 0 ? `sum(cityHash64(${columns.map(hashable).join(', ')}))` : "'0'";
  const { rows } = await client.queryRows<[number, string, string]>(
    `SELECT toUInt32(intDiv(mc_seqno, ${epochSize})) AS epoch, count(), ${checksum}
     FROM ${table} WHERE ${rangeCondition('mc_seqno', ranges)} GROUP BY epoch ORDER BY epoch`,
    { route: 'versions/sums', ...TABLE_QUERY },
  );
  return new Map(rows.map(([epoch, count, sum]) => [epoch, { rows: BigInt(count), checksum: BigInt(sum) }]));
}

/** Epochs in which the two differ, ascending. */
export function differingEpochs(old: EpochSums, next: EpochSums): number[] {
  return [...new Set([...old.keys(), ...next.keys()])]
    .filter((epoch) => {
      const [a, b] = [old.get(epoch) ?? NO_ROWS, next.get(epoch) ?? NO_ROWS];
      return a.rows !== b.rows || a.checksum !== b.checksum;
    })
    .sort((a, b) => a - b);
}
