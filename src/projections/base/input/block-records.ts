import type { NewRecord, RecordEncoding, StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { blockName, parseBlockName } from '../../../ton/decode/block-error.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { compareInStep, readRawBlocks, type StoredBlock } from './raw-blocks.ts';

/**
 * Blocks of `raw_blocks` and of cold epochs as records of the log, by position: parents before children, the
 * masterchain's block last.
 */
export async function readBlockRecords(
  store: StoreDatabase,
  range: PositionRange,
  encoding: RecordEncoding,
): Promise<ReadonlyMap<number, readonly NewRecord[]>> {
  const blocks = await readRawBlocks(store, range, encoding.signal);
  const byPosition = Map.groupBy(blocks, ({ position }) => position);
  const records = new Map<number, readonly NewRecord[]>(
    [...byPosition].map(([position, some]) => [position, some.map((block) => buildRecord(block, encoding))]),
  );
  // After the store: blocks that are dropped meanwhile are found here.
  const cold = await encoding.cold?.read(range);
  for (const [position, step] of cold ?? [])
    records.set(position, mergeSteps(records.get(position) ?? [], step));
  return records;
}

/** A cold step, and blocks that only the store has: a retried block. In the order of stored steps. */
function mergeSteps(stored: readonly NewRecord[], cold: readonly NewRecord[]): readonly NewRecord[] {
  const blocks = cold.filter(({ headers }) => headers.kind !== 'state');
  const known = new Set(blocks.map(({ key }) => key));
  const all = [...stored.filter(({ key }) => !known.has(key)), ...blocks];
  return all
    .map((record) => ({ record, id: parseBlockName(record.key) }))
    .sort((a, b) => compareInStep(a.id, b.id))
    .map(({ record }) => record);
}

function buildRecord(block: StoredBlock, { codec, network }: RecordEncoding): NewRecord {
  const { workchain, shard, seqno, rootHash, fileHash, boc, position } = block;
  return {
    key: blockName(block),
    headers: {
      kind: 'block',
      workchain: String(workchain),
      shard: shard.toString(16).padStart(16, '0'),
      seqno: String(seqno),
      root_hash: toHex(rootHash),
      file_hash: toHex(fileHash),
    },
    value: codec.encode('raw-block', {
      network,
      workchain,
      shard: BigInt.asIntN(64, shard),
      seqno: BigInt(seqno),
      root_hash: rootHash,
      file_hash: fileHash,
      mc_seqno: BigInt(position),
      boc,
    }),
  };
}
