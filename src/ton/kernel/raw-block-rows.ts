import type { RawBlock } from '../decode/raw-block-row.ts';
import { RAW_BLOCKS } from './column-streams.ts';

const stream = (name: string): number => {
  const column = RAW_BLOCKS.columns.find((one) => one.name === name);
  if (!column) throw new TypeError(`raw_blocks has no column ${name}`);
  return column.first;
};
const FIRST = RAW_BLOCKS.columns[0]?.first ?? 0;
const MC_SEQNO = stream('mc_seqno');
const WORKCHAIN = stream('workchain');
const SHARD = stream('shard');
const SEQNO = stream('seqno');
const ROOT_HASH = stream('root_hash');
const FILE_HASH = stream('file_hash');
const BOC = stream('boc');

/** Bytes of a length in LEB128. */
function lengthSize(length: number): number {
  let size = 1;
  for (let rest = length; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** Writes into `sizes` what the streams of these rows take. */
export function sizeRawBlocks(blocks: readonly RawBlock[], sizes: Uint32Array): void {
  for (const { first, streams } of RAW_BLOCKS.columns) {
    sizes[first] = (streams[0]?.width ?? 0) * blocks.length;
  }
  for (const { bytes } of blocks) {
    sizes[BOC] = (sizes[BOC] as number) + lengthSize(bytes.length) + bytes.length;
  }
}

/** Writes the rows at the start of each stream; every block is copied once. */
export function putRawBlocks(blocks: readonly RawBlock[], to: ArrayBuffer, offsets: Float64Array): void {
  const bytes = new Uint8Array(to);
  const view = new DataView(to);
  const at = (index: number, row: number, width: number) => (offsets[index] as number) + row * width;
  let boc = offsets[BOC] as number;
  for (const [row, { meta, bytes: block }] of blocks.entries()) {
    view.setUint32(at(MC_SEQNO, row, 4), meta.mcSeqno, true);
    view.setInt32(at(WORKCHAIN, row, 4), meta.workchain, true);
    view.setBigUint64(at(SHARD, row, 8), meta.shard, true);
    view.setUint32(at(SEQNO, row, 4), meta.seqno, true);
    bytes.set(meta.rootHash, at(ROOT_HASH, row, 32));
    bytes.set(meta.fileHash, at(FILE_HASH, row, 32));
    let rest = block.length;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes[boc++] = (rest % 0x80) | 0x80;
    bytes[boc++] = rest;
    bytes.set(block, boc);
    boc += block.length;
  }
}

/** The number of the first stream of `raw_blocks`: the kernel writes those before. */
export const KERNEL_STREAMS = FIRST;
