import { serializeTuple, type TupleItem } from '@ton/core';

/** A masterchain block as contracts see it. */
export interface PrevBlock {
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

/** Values of PREVMCBLOCKS, PREVKEYBLOCK and PREVMCBLOCKS_100: newest first. */
export interface PrevBlocks {
  readonly last: readonly PrevBlock[];
  readonly key: PrevBlock;
}

/** The whole workchain's shard, as the signed number that it is on the stack. */
const SHARD = -(1n << 63n);

/**
 * The stack entry `[last_mc_blocks, prev_key_block]` as a BoC in base64, as the emulator wants it. Element 13 of c7 of
 * the TVM; a block is `[workchain, shard, seqno, root_hash, file_hash]`.
 */
export function encodePrevBlocks({ last, key }: PrevBlocks): string {
  const items: TupleItem[] = [{ type: 'tuple', items: last.map(blockTuple) }, blockTuple(key)];
  // A stack of one entry: 24 bits of depth and the reference to the rest of the stack stand before the entry itself.
  const slice = serializeTuple([{ type: 'tuple', items }]).beginParse();
  slice.skip(24);
  slice.loadRef();
  return slice.asCell().toBoc().toString('base64');
}

function blockTuple({ seqno, rootHash, fileHash }: PrevBlock): TupleItem {
  const numbers = [-1n, SHARD, BigInt(seqno), hashNumber(rootHash), hashNumber(fileHash)];
  return { type: 'tuple', items: numbers.map((value) => ({ type: 'int', value })) };
}

function hashNumber(hash: Uint8Array): bigint {
  return BigInt(`0x${hash.toHex()}`);
}
