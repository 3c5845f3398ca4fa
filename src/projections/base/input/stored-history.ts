import type { HistorySize, StoreDatabase, StoredStep } from '../../../engine/projection/stored-input.ts';
import { type PositionRange, rangeCondition } from '../../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';

const route = 'replay/history';

/** The steps of a range that have blocks, ascending. */
export async function readSteps(
  { client, database }: StoreDatabase,
  range: PositionRange,
): Promise<readonly StoredStep[]> {
  const { rows } = await client.queryRows<[number, string, string]>(
    `SELECT mc_seqno, sum(boc_bytes), sum(tx_count) FROM ${database}.blocks
     WHERE ${rangeCondition('mc_seqno', [range])} GROUP BY mc_seqno ORDER BY mc_seqno`,
    { route, ...RANGE_QUERY },
  );
  return rows.map(([position, bytes, transactions]) => ({
    position,
    bytes: Number(bytes),
    transactions: Number(transactions),
  }));
}

/** The same steps as `raw_blocks` has them, where `blocks` lacks some. */
export async function readRawSteps(
  { client, database }: StoreDatabase,
  range: PositionRange,
): Promise<readonly StoredStep[]> {
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT mc_seqno, sum(length(boc)) FROM ${database}.raw_blocks
     WHERE ${rangeCondition('mc_seqno', [range])} GROUP BY mc_seqno ORDER BY mc_seqno`,
    { route, ...RANGE_QUERY },
  );
  return rows.map(([position, bytes]) => ({ position, bytes: Number(bytes), transactions: 0 }));
}

/** Size of the history to decode. */
export async function readHistorySize(
  { client, database }: StoreDatabase,
  ranges: readonly PositionRange[],
): Promise<HistorySize> {
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT count(), sum(tx_count), sum(boc_bytes) FROM ${database}.blocks WHERE ${rangeCondition('mc_seqno', ranges)}`,
    { route, ...RANGE_QUERY },
  );
  const [blocks, transactions, bytes] = rows[0] ?? ['0', '0', '0'];
  return { blocks: Number(blocks), transactions: Number(transactions), bytes: Number(bytes) };
}
