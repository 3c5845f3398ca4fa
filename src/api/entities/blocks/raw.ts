import { RowBinary } from '../../../tables/row-binary.ts';
import type { ReadScope } from '../../query/scope.ts';
import { identifier, Parameter, sql } from '../../query/sql.ts';

/** The place of a block: (mc_seqno, workchain, shard, seqno), the order of blocks and raw_blocks. `shard` unsigned. */
export interface BlockKey {
  readonly mcSeqno: number;
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** Text of a block's id, the key of maps by block. */
export function blockIdText(block: Omit<BlockKey, 'mcSeqno'>): string {
  return `${block.workchain}:${block.shard.toString(16)}:${block.seqno}`;
}

/** The bytes of blocks by `blockIdText`, in one query; blocks that the store does not hold are absent. */
export async function readRawBlocks(
  scope: ReadScope,
  blocks: readonly BlockKey[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (blocks.length === 0) return new Map();
  const keys = new Map(blocks.map((block) => [blockIdText(block), block]));
  const list = [...keys.values()].map((b) => `(${b.mcSeqno},${b.workchain},${b.shard},${b.seqno})`);
  const blocksOf = new Parameter('Array(Tuple(UInt32, Int32, UInt64, UInt32))', `[${list.join(',')}]`);
  const bytes = await scope.queryBytes(
    sql`SELECT workchain, shard, seqno, boc FROM ${identifier(scope.databases.base, 'raw_blocks')} WHERE (mc_seqno, workchain, shard, seqno) IN (SELECT b.1, b.2, b.3, b.4 FROM (SELECT arrayJoin(${blocksOf}) AS b))`,
  );
  return new Map(readRows(bytes));
}

function* readRows(bytes: Buffer): Generator<[string, Uint8Array]> {
  for (const rows = new RowBinary(bytes); rows.more; ) {
    const id = { workchain: rows.i32(), shard: rows.u64(), seqno: rows.u32() };
    yield [blockIdText(id), rows.string()];
  }
}
