import { fromHex } from '../../ton/hash/hex.ts';
import type { BlockIdExt } from '../block-id.ts';

const BLOCK = /^block_\((-?\d{1,10}),([0-9a-f]{16}),(\d{1,10})\)[:_]([0-9a-f]{64})[:_]([0-9a-f]{64})$/i;

/**
 * The block id in the name of a package's entry, `block_(wc,shard,seqno):ROOTHASH:FILEHASH` (newer nodes write `_` for
 * `:`), or null for a name of another form. Source: FileReference names, validator/db/fileref.cpp of the reference node.
 */
export function parseBlockName(name: string): BlockIdExt | null {
  const [, workchain, shard, seqno, root = '', file = ''] = BLOCK.exec(name) ?? [];
  const rootHash = fromHex(root);
  const fileHash = fromHex(file);
  if (!workchain || !shard || !seqno || !rootHash || !fileHash) return null;
  return {
    workchain: Number(workchain),
    shard: BigInt(`0x${shard}`),
    seqno: Number(seqno),
    rootHash,
    fileHash,
  };
}

/** The kind in front of an entry's name: `block`, `proof`, `prooflink` …. */
export function entryKind(name: string): string {
  return /^[a-z]+/i.exec(name)?.[0] ?? 'unnamed';
}
