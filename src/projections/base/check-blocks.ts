import type { VersionPair, VersionSums } from '../../engine/projection/version-pair.ts';
import { rangeCondition } from '../../engine/ranges/position-ranges.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';

/** Problems of the blocks of a built version, as text; empty if it may be served. */
export async function blockProblems(pair: VersionPair, sums: VersionSums): Promise<readonly string[]> {
  return [
    ...blocksMissing(sums),
    ...(await transactionsMissing(pair)),
    ...(pair.isChain ? await chainBreaks(pair) : []),
  ];
}

/** Compares missing blocks: linked `raw_blocks` may lack some, but not more than before. */
function blocksMissing(sums: VersionSums): string[] {
  const rowsIn = (table: string, side: 'old' | 'next', epoch: number): bigint =>
    sums.get(table)?.[side].get(epoch)?.rows ?? 0n;
  const lack = (side: 'old' | 'next', epoch: number) =>
    rowsIn('blocks', side, epoch) - rowsIn('raw_blocks', side, epoch);
  const epochs = new Set(
    ['raw_blocks', 'blocks'].flatMap((table) => [...(sums.get(table)?.next.keys() ?? [])]),
  );
  return [...epochs].flatMap((epoch) => {
    const lacking = lack('next', epoch);
    return lacking === 0n || (lacking > 0n && lacking <= lack('old', epoch))
      ? []
      : [
          `blocks, epoch ${epoch}: ${rowsIn('blocks', 'next', epoch)} rows of ${rowsIn('raw_blocks', 'next', epoch)} blocks`,
        ];
  });
}

const QUERY = { route: 'replay/check', ...TABLE_QUERY } as const;

/** Compares the transaction counts of blocks with the transactions that are there. */
async function transactionsMissing({ client, to, ranges }: VersionPair): Promise<string[]> {
  const where = rangeCondition('mc_seqno', ranges);
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT (SELECT sum(tx_count) FROM ${to}.blocks WHERE ${where}), (SELECT count() FROM ${to}.transactions WHERE ${where})`,
    QUERY,
  );
  const [stated, found] = rows[0] ?? ['0', '0'];
  return stated === found ? [] : [`transactions: ${found} rows, the blocks have ${stated}`];
}

/** Masterchain blocks that do not follow the one before them. */
async function chainBreaks({ client, to, ranges }: VersionPair): Promise<string[]> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT seqno FROM (
       SELECT seqno, prev_root_hash,
         lagInFrame(seqno) OVER (ORDER BY seqno ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS seqno_before,
         lagInFrame(root_hash) OVER (ORDER BY seqno ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS hash_before,
         row_number() OVER (ORDER BY seqno) AS number
       FROM ${to}.blocks WHERE workchain = -1 AND ${rangeCondition('mc_seqno', ranges)}
     ) WHERE number > 1 AND (seqno != seqno_before + 1 OR prev_root_hash != hash_before) ORDER BY seqno LIMIT 3`,
    QUERY,
  );
  // A hole between two confirmed ranges is at the start of the second.
  const begins = new Set(ranges.map(({ first }) => first));
  return rows
    .filter(([seqno]) => !begins.has(seqno))
    .map(([seqno]) => `masterchain block ${seqno} does not follow the one before it`);
}
