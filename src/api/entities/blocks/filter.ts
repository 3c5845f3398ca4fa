import type { ScanPlace } from '../../query/cursor.ts';
import { I32, keyset, U32, U64 } from '../../query/keyset.ts';

/** A block by its full or partial id. `shard` unsigned 64-bit. */
export interface PartialBlockId {
  readonly workchain?: number;
  readonly shard?: bigint;
  readonly seqno?: number;
}

/** Filters of a list of blocks; all hold together. Hashes 64 hex digits; both lt bounds are on start_lt. */
export interface BlockFilter extends PartialBlockId {
  readonly rootHash?: string;
  readonly fileHash?: string;
  readonly mcSeqno?: number;
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  /** Place of a scan: the list from here on. */
  readonly scan?: ScanPlace<BlockPlace>;
}

/** The place of a block in a list; `shard` unsigned decimal. */
export interface BlockPlace {
  readonly gen_utime: number;
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}

/** Whether the filter names a seqno that no block has: nothing needs to be asked then. */
export function isImpossible(filter: { readonly seqno?: number; readonly mcSeqno?: number }): boolean {
  return (filter.seqno ?? 0) < 0 || (filter.mcSeqno ?? 0) < 0;
}

const PLACE = { gen_utime: U32, workchain: I32, shard: U64, seqno: U32 } as const;

/** Places of `/blocks`. */
export const BLOCKS = keyset<BlockPlace>({ list: 'b', isResumable: true }, PLACE);

/** Places of `/masterchainBlockShards`, which is one masterchain step. */
export const STEP_BLOCKS = keyset<BlockPlace>({ list: 'bs', isResumable: false }, PLACE);

export function blockPlace({ gen_utime, workchain, shard, seqno }: BlockPlace): BlockPlace {
  return { gen_utime, workchain, shard, seqno };
}
