import type { NewRecord, StoreDatabase, StoredInput } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { blockName } from '../../../ton/decode/block-error.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { readRawBlocks, type StoredBlock } from './raw-blocks.ts';

type Encoding = Parameters<StoredInput['records']>[2];

/** Blocks of `raw_blocks` as records of the log, by position: parents before children, the masterchain's block last. */
export async function readBlockRecords(
  store: StoreDatabase,
  range: PositionRange,
  encoding: Encoding,
): Promise<ReadonlyMap<number, readonly NewRecord[]>> {
  const blocks = await readRawBlocks(store, range, encoding.signal);
  const byPosition = Map.groupBy(blocks, ({ position }) => position);
  return new Map(
    [...byPosition].map(([position, some]) => [position, some.map((block) => buildRecord(block, encoding))]),
  );
}

function buildRecord(block: StoredBlock, { codec, network }: Encoding): NewRecord {
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
