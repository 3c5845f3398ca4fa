import type { ReadScope } from './read-scope.ts';

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
  const bytes = await scope.queryBytes({
    sql:
      `SELECT workchain, shard, seqno, boc FROM ${scope.database}.raw_blocks WHERE (mc_seqno, workchain, shard, seqno) IN` +
      ' (SELECT b.1, b.2, b.3, b.4 FROM (SELECT arrayJoin({blocks:Array(Tuple(UInt32, Int32, UInt64, UInt32))}) AS b))',
    params: { blocks: `[${list.join(',')}]` },
  });
  return new Map(readRows(bytes));
}

/** RowBinary: integers little endian, strings with a LEB128 length before them. */
function* readRows(bytes: Uint8Array): Generator<[string, Uint8Array]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const workchain = view.getInt32(at, true);
    const shard = view.getBigUint64(at + 4, true);
    const seqno = view.getUint32(at + 12, true);
    at += 16;
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = view.getUint8(at++);
      length += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    yield [blockIdText({ workchain, shard, seqno }), bytes.subarray(at, at + length)];
    at += length;
  }
}
