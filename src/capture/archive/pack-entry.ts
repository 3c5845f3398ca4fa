import { toHex } from '../../ton/hash/hex.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type BlockIdExt, blockIdText, sameBytes, samePlace } from '../block-id.ts';
import { readSourceBlock } from '../read-block.ts';
import type { SourceBlock } from '../source.ts';
import type { OpenFiles } from './open-files.ts';
import { PackError } from './pack-error.ts';

/** Location of a block's bytes. Many locations are kept in memory, the bytes never. */
export interface BlockEntry {
  readonly id: BlockIdExt;
  readonly file: string;
  /** Offset of the entry, for errors. */
  readonly offset: number;
  readonly dataOffset: number;
  readonly length: number;
}

export function entryOrigin({ id, file, offset }: BlockEntry): string {
  return `${file} at byte ${offset}, entry block_${blockIdText(id)}`;
}

/** Blocks have 4 MB at most by the network's own limits, and records of the log 16 MB. */
const MAX_BLOCK_BYTES = 1 << 26;

/** @throws PackError truncated, size */
export async function readEntryBytes(files: OpenFiles, entry: BlockEntry): Promise<Uint8Array> {
  const { file, dataOffset, length } = entry;
  const name = `entry block_${blockIdText(entry.id)}`;
  if (length > MAX_BLOCK_BYTES)
    throw new PackError('size', entry, `${name} has ${length} bytes, ${MAX_BLOCK_BYTES} are allowed`);
  const bytes = await files.read(file, dataOffset, length);
  if (bytes.length === length) return bytes;
  throw new PackError('truncated', entry, `${name} ends after ${bytes.length} of ${length} bytes`);
}

/**
 * The block of an entry, with the proof that its bytes are those which the entry's name states.
 * @throws PackError hash, block
 */
export function readEntryBlock(entry: BlockEntry, boc: Uint8Array): SourceBlock {
  const { id } = entry;
  const name = `entry block_${blockIdText(id)}`;
  const differ = (what: string, expected: string, found: string) =>
    new PackError('hash', entry, `${name}: the ${what} should be ${expected}, found ${found}`);
  const fileHash = sha256(boc);
  if (!sameBytes(fileHash, id.fileHash)) throw differ('file hash', toHex(id.fileHash), toHex(fileHash));
  let block: SourceBlock;
  try {
    block = readSourceBlock(boc, entryOrigin(entry));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PackError('block', entry, `${name} is no block: ${reason}`, { cause });
  }
  if (!sameBytes(block.id.rootHash, id.rootHash))
    throw differ('root hash', toHex(id.rootHash), toHex(block.id.rootHash));
  if (!samePlace(block.id, id)) throw differ('block id', blockIdText(id), blockIdText(block.id));
  return block;
}
