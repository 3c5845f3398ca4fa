import { openBlock } from '../../src/ton/decode/open-block.ts';
import { crc32c } from '../../src/ton/hash/crc32c.ts';

/** Two hashes of 32 bytes come before the depths, after the type. */
const NEW_DEPTH = 1 + 32 + 32 + 2;

/** The block with another depth in its Merkle update than its new state has; its checksum is right. */
export function breakMerkleUpdate(block: Uint8Array): Uint8Array {
  const bytes = block.slice();
  const { boc, block: parts } = openBlock(bytes);
  const at = boc.dataStart[parts.stateUpdate]! + NEW_DEPTH + 1;
  bytes[at]! ^= 1;
  return withChecksum(bytes);
}

/** The block with a bit of its generation time changed: nothing in it contradicts that. */
export function changeTime(block: Uint8Array): Uint8Array {
  const bytes = block.slice();
  const { boc, block: parts } = openBlock(bytes);
  // block_info#9bc7a987 version:uint32, eight flags, flags:uint8, seq_no, vert_seq_no, shard:ShardIdent, gen_utime.
  const at = boc.dataStart[parts.info]! + 4 + 4 + 1 + 1 + 4 + 4 + 13 + 3;
  bytes[at]! ^= 1;
  return withChecksum(bytes);
}

function withChecksum(bytes: Uint8Array): Uint8Array {
  const hasChecksum = (bytes[4]! & 0x40) !== 0;
  if (!hasChecksum) return bytes;
  const end = bytes.length - 4;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(end, crc32c(bytes, end), true);
  return bytes;
}
