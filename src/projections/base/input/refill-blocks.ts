import type { LogRecord } from '../../../engine/projection/projection.ts';
import type { LostStep, StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { type PositionRange, rangeCondition } from '../../../engine/ranges/position-ranges.ts';
import type { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { TABLE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { blockName } from '../../../ton/decode/block-error.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import { type KnownBlock, knownBlocks, RestoredBlocks } from './restore-blocks.ts';

const QUERY = { route: 'repair/blocks', ...TABLE_QUERY } as const;

/** Puts blocks of the log into `raw_blocks` that it lacks and whose file hash is right. Answers how many. */
export async function refillBlocks(
  { client, database }: StoreDatabase,
  records: readonly LogRecord[],
  codec: AvroCodec,
): Promise<number> {
  const blocks = records.filter(({ headers }) => headers.kind !== 'state');
  if (blocks.length === 0) return 0;
  const target = new RestoredBlocks({ client, to: database });
  const stored = await storedNames({ client, database }, blocks);
  for (const record of blocks) {
    const name = `${record.position} ${record.key}`;
    const found = stored.has(name) ? null : toCompleteBlock(record, codec);
    if (!found) continue;
    stored.add(name);
    await target.add(found.block, found.boc);
  }
  return target.flush();
}

/** Null if the record has no block, or its bytes do not match the file hash. */
function toCompleteBlock(
  { key, position, value }: LogRecord,
  codec: AvroCodec,
): { readonly block: KnownBlock; readonly boc: Uint8Array } | null {
  const datum = codec.decode(value);
  if (datum?.kind !== 'raw-block') return null;
  const { workchain, shard, seqno, root_hash, file_hash, boc } = datum.value;
  const fileHash = toHex(file_hash);
  if (toHex(sha256(boc)) !== fileHash) return null;
  const place = { workchain, shard: BigInt.asUintN(64, shard), seqno: Number(seqno) };
  return { block: { key, position, ...place, rootHash: toHex(root_hash), fileHash }, boc };
}

async function storedNames(
  { client, database }: StoreDatabase,
  records: readonly LogRecord[],
): Promise<Set<string>> {
  const positions = records.map(({ position }) => position);
  const { rows } = await client.queryRows<[number, number, string, number]>(
    `SELECT mc_seqno, workchain, toString(shard), seqno FROM ${database}.raw_blocks
     WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
    { ...QUERY, params: { first: Math.min(...positions), last: Math.max(...positions) } },
  );
  return new Set(
    rows.map(
      ([position, workchain, shard, seqno]) =>
        `${position} ${blockName({ workchain, shard: BigInt(shard), seqno })}`,
    ),
  );
}

/** Steps of which `raw_blocks` has fewer blocks than are known; of a chain, those without a masterchain block too. */
export async function lostSteps(
  { client, database }: StoreDatabase,
  ranges: readonly PositionRange[],
): Promise<readonly LostStep[]> {
  const where = rangeCondition('mc_seqno', ranges);
  const known = knownBlocks({ from: database, fromIndex: true }, where);
  const { rows } = await client.queryRows<[number, string, string]>(
    `SELECT mc_seqno, max(wanted), max(found) FROM (
       SELECT mc_seqno, count() AS wanted, toUInt64(0) AS found FROM ${known} GROUP BY mc_seqno
       UNION ALL SELECT mc_seqno, max(rows['blocks']), 0 FROM ${database}.step_rows WHERE ${where} GROUP BY mc_seqno
       UNION ALL SELECT mc_seqno, 0, count() FROM ${database}.raw_blocks WHERE ${where} GROUP BY mc_seqno
     ) GROUP BY mc_seqno HAVING max(wanted) > max(found) ORDER BY mc_seqno`,
    QUERY,
  );
  return rows.map(([position, wanted, found]) => ({
    position,
    reason: `${found} of ${wanted} blocks are left`,
  }));
}
