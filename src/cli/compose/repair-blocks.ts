import type { EngineParts } from '../../engine/engine-parts.ts';
import type { RecordArchive, RestoreOptions } from '../../engine/projection/stored-input.ts';
import { type PositionRange, rangeCondition } from '../../engine/ranges/position-ranges.ts';
import { stateTable } from '../../engine/replay/state-table.ts';
import type { LogRecord } from '../../log/port.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { knownBlocks, RestoredBlocks, restoreBlocks } from '../../projections/base/input/restore-blocks.ts';
import { blockName } from '../../ton/decode/block-error.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { logRecords } from './log-pass.ts';

const route = 'repair/blocks';
const LONG = { route, timeoutMs: 3_600_000, maxMemoryBytes: 0, maxRows: 10_000_000 } as const;

/** A step whose blocks are nowhere any more. */
export interface LostStep {
  readonly position: number;
  readonly reason: string;
}

/** Puts what the log has of the steps into `raw_blocks` and `raw_states`, where they lack it. Answers how many blocks. */
export async function refillFromLog(
  { bus, client, codec, identity }: EngineParts,
  database: string,
  ranges: readonly PositionRange[],
  signal: AbortSignal,
): Promise<number> {
  const isInside = ({ position }: LogRecord) =>
    ranges.some(({ first, last }) => position >= first && position <= last);
  const target = new RestoredBlocks({ client, to: database });
  let restored = 0;
  for await (const records of logRecords(bus, signal)) {
    const wanted = records.filter(isInside);
    if (wanted.length === 0) continue;
    const states = wanted.filter(({ headers }) => headers.kind === 'state');
    if (states.length > 0)
      await client.insertNative(
        `${metaDatabase(identity.network)}.raw_states`,
        encodeNativeBlock(stateTable(states)),
        { route },
      );
    const stored = await storedNames(client, database, wanted);
    for (const record of wanted) {
      if (record.headers.kind === 'state' || stored.has(`${record.position} ${record.key}`)) continue;
      const datum = codec.decode(record.value);
      if (datum?.kind !== 'raw-block') continue;
      const { workchain, shard, seqno, root_hash, file_hash, boc } = datum.value;
      const fileHash = toHex(file_hash);
      if (toHex(sha256(boc)) !== fileHash) continue;
      stored.add(`${record.position} ${record.key}`);
      await target.add(
        {
          key: record.key,
          position: record.position,
          workchain,
          shard: BigInt.asUintN(64, shard),
          seqno: Number(seqno),
          rootHash: toHex(root_hash),
          fileHash,
        },
        boc,
      );
    }
    restored = await target.flush();
  }
  return restored;
}

async function storedNames(
  client: EngineParts['client'],
  database: string,
  records: readonly LogRecord[],
): Promise<Set<string>> {
  const positions = records.map(({ position }) => position);
  const { rows } = await client.queryRows<[number, number, string, number]>(
    `SELECT mc_seqno, workchain, toString(shard), seqno FROM ${database}.raw_blocks
     WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
    { ...LONG, params: { first: Math.min(...positions), last: Math.max(...positions) } },
  );
  return new Set(
    rows.map(
      ([position, workchain, shard, seqno]) =>
        `${position} ${blockName({ workchain, shard: BigInt(shard), seqno })}`,
    ),
  );
}

/** Puts what an archive has of the indexed blocks into `raw_blocks`, where it lacks them. Throws `OtherBlockError`. */
export function refillFromArchive(options: RestoreOptions, archive: RecordArchive): Promise<number> {
  return restoreBlocks({ ...options, fromIndex: true }, archive, false);
}

/** Steps of which `raw_blocks` has fewer blocks than are known; of a chain, those without a masterchain block too. */
export async function lostSteps(
  { client }: Pick<EngineParts, 'client'>,
  database: string,
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
    LONG,
  );
  return rows.map(([position, wanted, found]) => ({
    position,
    reason: `${found} of ${wanted} blocks are left`,
  }));
}
