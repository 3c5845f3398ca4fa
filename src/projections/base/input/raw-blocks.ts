import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';

/** A block as table `raw_blocks` keeps it. Bytes are views of the answer that they came in. */
export interface StoredBlock {
  readonly position: number;
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly boc: Uint8Array;
}

const MASTERCHAIN = -1;
/** Largest answer, bytes: a step of the largest known blocks is far below. */
const MAX_BYTES = 1024 ** 3;
/** A usual window of steps never touches the server's disk on its way here. */
const BUFFER_BYTES = 64 << 20;

/** Blocks of the positions from `first` to `last`, step by step, in each the masterchain's block last. */
export async function readRawBlocks(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
  signal: AbortSignal,
): Promise<readonly StoredBlock[]> {
  const bytes = await client.queryBytes(
    `SELECT mc_seqno, workchain, shard, seqno, root_hash, file_hash, boc FROM ${database}.raw_blocks
     WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
     FORMAT RowBinary`,
    {
      route: 'replay/raw-blocks',
      params: { first, last },
      timeoutMs: 600_000,
      maxMemoryBytes: 0,
      maxRows: 10_000_000,
      maxResultBytes: MAX_BYTES,
      settings: { http_response_buffer_size: BUFFER_BYTES },
      signal,
    },
  );
  return inLogOrder(parse(bytes));
}

/** RowBinary: little-endian numbers, fixed strings unchanged, a string after its length (LEB128). */
function parse(bytes: Buffer): StoredBlock[] {
  const blocks: StoredBlock[] = [];
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const position = bytes.readUInt32LE(at);
    const workchain = bytes.readInt32LE(at + 4);
    const shard = bytes.readBigUInt64LE(at + 8);
    const seqno = bytes.readUInt32LE(at + 16);
    at += 20;
    const [rootHash, fileHash] = [take(32), take(32)];
    let length = 0;
    for (let shift = 1; ; shift *= 0x80) {
      const byte = bytes[at++] as number;
      length += (byte & 0x7f) * shift;
      if (byte < 0x80) break;
    }
    blocks.push({ position, workchain, shard, seqno, rootHash, fileHash, boc: take(length) });
  }
  return blocks;
}

function inLogOrder(blocks: StoredBlock[]): StoredBlock[] {
  return blocks.sort((a, b) => a.position - b.position || compareInStep(a, b));
}

type BlockId = Pick<StoredBlock, 'workchain' | 'shard' | 'seqno'>;

/** Order in a step: parents before children, and the masterchain block after the blocks that it commits. */
export function compareInStep(a: BlockId, b: BlockId): number {
  const isLast = ({ workchain }: BlockId) => (workchain === MASTERCHAIN ? 1 : 0);
  const shards = a.shard < b.shard ? -1 : Number(a.shard > b.shard);
  return isLast(a) - isLast(b) || a.seqno - b.seqno || a.workchain - b.workchain || shards;
}
