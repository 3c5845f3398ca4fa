import { RowBinary } from '../../../tables/row-binary.ts';
import { blockName } from '../../../ton/decode/block-error.ts';
import { AnswerTooLargeError } from '../../http/errors/http-error.ts';
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

/**
 * The bytes of blocks by `blockIdText`, in one query; those that the store has dropped are read from sealed files.
 * Unknown blocks are absent.
 * @throws AnswerTooLargeError
 */
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
  const found = new Map(readRows(bytes));
  // After the store: blocks that are dropped meanwhile are found here.
  await addSealed(
    scope,
    [...keys].flatMap(([id, key]) => (found.has(id) ? [] : [key])),
    found,
  );
  return found;
}

async function addSealed(
  { context: { sealedBlocks }, caller, progress }: ReadScope,
  missing: readonly BlockKey[],
  found: Map<string, Uint8Array>,
): Promise<void> {
  if (!sealedBlocks) return;
  for (const [mcSeqno, blocks] of Map.groupBy(missing, (block) => block.mcSeqno)) {
    caller.signal.throwIfAborted();
    const byKey = new Map(blocks.map((block) => [blockName(block), block]));
    for (const [key, boc] of await sealedBlocks.read(mcSeqno, [...byKey.keys()])) {
      const block = byKey.get(key);
      progress.bytesLeft -= boc.length;
      if (progress.bytesLeft < 0) throw new AnswerTooLargeError();
      if (block) found.set(blockIdText(block), boc);
    }
  }
}

function* readRows(bytes: Buffer): Generator<[string, Uint8Array]> {
  for (const rows = new RowBinary(bytes); rows.more; ) {
    const id = { workchain: rows.i32(), shard: rows.u64(), seqno: rows.u32() };
    yield [blockIdText(id), rows.string()];
  }
}
