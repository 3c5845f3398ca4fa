import { toHex } from '../ton/hash/hex.ts';

/** Workchain, shard and seqno: names a place in the chain. `shard` is unsigned, 64 bits, with its end bit. */
export interface BlockId {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
}

/** A position and its block: the root cell's hash and the SHA-256 of the bytes, 32 bytes each. */
export interface BlockIdExt extends BlockId {
  readonly rootHash: Uint8Array;
  readonly fileHash: Uint8Array;
}

export const MASTERCHAIN = -1;
/** The shard that is a whole workchain: only the end bit. */
export const WHOLE_SHARD = 1n << 63n;

export function isMasterchain(id: BlockId): boolean {
  return id.workchain === MASTERCHAIN;
}

export function shardHex(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).padStart(16, '0');
}

/** `(wc,shard,seqno)`: the form of archive entry names, of record keys and of error texts. */
export function blockIdText({ workchain, shard, seqno }: BlockId): string {
  return `(${workchain},${shardHex(shard)},${seqno})`;
}

/** `(wc,shard,seqno):ROOT:FILE`, hashes in upper case as archive entries have them. */
export function blockIdExtText(id: BlockIdExt): string {
  return `${blockIdText(id)}:${toHex(id.rootHash).toUpperCase()}:${toHex(id.fileHash).toUpperCase()}`;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function samePlace(a: BlockId, b: BlockId): boolean {
  return a.workchain === b.workchain && a.shard === b.shard && a.seqno === b.seqno;
}

export function sameBlock(a: BlockIdExt, b: BlockIdExt): boolean {
  return samePlace(a, b) && sameBytes(a.rootHash, b.rootHash) && sameBytes(a.fileHash, b.fileHash);
}

/** The order of blocks where nothing else orders them: workchain, shard (unsigned), seqno. */
export function compareBlockIds(a: BlockId, b: BlockId): number {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  if (a.shard !== b.shard) return a.shard < b.shard ? -1 : 1;
  return a.seqno - b.seqno;
}
