import type { Projection } from '../../../pipelines/projections.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { Landing } from '../../platform/clickhouse/sink/sink-definition.ts';
import { type EpochSums, NO_ROWS, readEpochSums } from '../../platform/clickhouse/versions/epoch-sums.ts';
import { type PositionRange, rangeCondition } from '../../platform/clickhouse/versions/position-ranges.ts';

/** Two versions of a projection, and what of them is compared. */
export interface VersionPair {
  readonly client: StoreClient;
  readonly projection: Projection;
  /** Databases. */
  readonly from: string;
  readonly to: string;
  readonly ranges: readonly PositionRange[];
  readonly epochSize: number;
  /** Blocks follow one another without a gap. */
  readonly isChain: boolean;
}

/** Counts and checksums by table and epoch, before and after. */
export type VersionSums = ReadonlyMap<string, { readonly old: EpochSums; readonly next: EpochSums }>;

/** Sums of every table that can be counted. `skip`: landing tables that were not built. */
export async function readVersionSums(pair: VersionPair, skip: readonly string[] = []): Promise<VersionSums> {
  const { client, from, to } = pair;
  const sums = new Map<string, { old: EpochSums; next: EpochSums }>();
  for (const { landing, counted } of pair.projection.sink.landings) {
    if (skip.includes(landing)) continue;
    for (const { table } of counted) sums.set(table, await readEpochSums(client, table, { from, to }, pair));
  }
  return sums;
}

/** What is wrong with a version that was built, in words; empty where it may be served. */
export async function checkVersion(pair: VersionPair, sums: VersionSums): Promise<readonly string[]> {
  return [
    ...inputsChanged(pair, sums),
    ...pair.projection.sink.landings.flatMap((landing) => unevenTargets(landing, sums)),
    ...blocksMissing(sums),
    ...(await transactionsMissing(pair)),
    ...(pair.isChain ? await chainBreaks(pair) : []),
  ];
}

/** The input must be what it was, to the byte; blocks that were put aside before may come to it. */
function inputsChanged({ projection }: VersionPair, sums: VersionSums): string[] {
  return projection.inputs.flatMap((table) => {
    const { old, next } = sums.get(table) ?? { old: new Map(), next: new Map() };
    return [...old].flatMap(([epoch, before]) => {
      const after = next.get(epoch) ?? NO_ROWS;
      const isSame =
        after.rows > before.rows || (after.rows === before.rows && after.checksum === before.checksum);
      return isSame
        ? []
        : [`${table}, epoch ${epoch}: ${before.rows} rows before, ${after.rows} after, or other bytes`];
    });
  });
}

/** Targets of one landing table, each of which has a row for every landed row, have the same counts. */
function unevenTargets({ counted }: Landing, sums: VersionSums): string[] {
  const whole = counted.filter(({ where }) => !where);
  const [first, ...others] = whole;
  const base = first && sums.get(first.table)?.next;
  if (!first || !base) return [];
  return others.flatMap(({ table, rowsPerRow = 1 }) =>
    [...base].flatMap(([epoch, { rows }]) => {
      const found = sums.get(table)?.next.get(epoch)?.rows ?? 0n;
      const expected = rows * BigInt(rowsPerRow);
      return found === expected
        ? []
        : [`${table}, epoch ${epoch}: ${found} rows, ${expected} expected by ${first.table}`];
    }),
  );
}

/** Where blocks were taken from `raw_blocks` they may be lacking in what is linked, and not more than before. */
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

const LONG = { route: 'replay/check', timeoutMs: 3_600_000, maxMemoryBytes: 0 } as const;

/** What the blocks say of their transactions against the transactions that are there. */
async function transactionsMissing({ client, to, ranges }: VersionPair): Promise<string[]> {
  const where = rangeCondition('mc_seqno', ranges);
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT (SELECT sum(tx_count) FROM ${to}.blocks WHERE ${where}), (SELECT count() FROM ${to}.transactions WHERE ${where})`,
    LONG,
  );
  const [stated, found] = rows[0] ?? ['0', '0'];
  return stated === found ? [] : [`transactions: ${found} rows, the blocks say ${stated}`];
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
    LONG,
  );
  // A hole between two confirmed ranges is where the second begins.
  const begins = new Set(ranges.map(({ first }) => first));
  return rows
    .filter(([seqno]) => !begins.has(seqno))
    .map(([seqno]) => `masterchain block ${seqno} does not follow the one before it`);
}
