import { toBase64 } from '../../../ton/hash/base64.ts';
import { findBlock } from '../../entities/blocks/find-one.ts';
import {
  readMasterchainBlock,
  readNewestMasterchainBlock,
  readStep,
} from '../../entities/blocks/masterchain.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type BlockId, blockName } from '../format/block-id.ts';

/** Block that a request asks for; `shard` is unsigned. The hashes count only if both are given. */
export interface BlockQuery {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly root_hash: Uint8Array | undefined;
  readonly file_hash: Uint8Array | undefined;
}

const MASTERCHAIN = 0x8000000000000000n;

/**
 * The block of exactly this shard.
 * @throws NotHeldError: the block is not visible, or has other hashes
 */
export async function readBlock(scope: ReadScope, query: BlockQuery): Promise<BlockRow> {
  const { workchain, shard, seqno, root_hash, file_hash } = query;
  const name = blockName(workchain, shard, seqno);
  const row = shard === 0n ? null : await findBlock(scope, { workchain, shard, seqno });
  // A relative of the shard may have the same seqno; it is another block.
  if (!row || BigInt(row.shard) !== shard) throw new NotHeldError(`block ${name} is not indexed`);
  if (root_hash === undefined || file_hash === undefined) return row;
  if (toBase64(root_hash) === row.root_hash && toBase64(file_hash) === row.file_hash) return row;
  throw new NotHeldError(`block ${name} has other hashes`);
}

/** @throws NotHeldError: outside the visible range, or missing in a store of unrelated blocks */
export async function readMasterchain(scope: ReadScope, seqno: number): Promise<BlockRow> {
  const row = await readMasterchainBlock(scope, seqno);
  if (!row) throw notIndexed(seqno);
  return row;
}

/** Masterchain block whose state an answer shows. */
export interface StateBlock extends BlockId {
  readonly gen_utime: number;
}

/**
 * The masterchain block of a state: the one asked for, else the newest that is indexed. Unrelated shard blocks may come
 * without it: then it is known by the reference of those that were made under it, with their time.
 *
 * @throws NotHeldError: not visible, or nothing of that masterchain seqno is indexed
 */
export async function readStateBlock(scope: ReadScope, seqno: number | undefined): Promise<StateBlock> {
  const known = await (seqno === undefined
    ? readNewestMasterchainBlock(scope, scope.visible.last)
    : readMasterchainBlock(scope, seqno));
  return known ?? readNamedMasterchain(scope, seqno ?? scope.visible.last);
}

/** The newest masterchain block that is indexed. @throws NotHeldError: there is none */
export async function readNewestMasterchain(scope: ReadScope): Promise<BlockRow> {
  const row = await readNewestMasterchainBlock(scope, scope.visible.last);
  if (!row) throw new NotHeldError('no masterchain block is indexed');
  return row;
}

async function readNamedMasterchain(scope: ReadScope, mcSeqno: number): Promise<StateBlock> {
  const [newest] = await readStep(scope, mcSeqno, { limit: 1, offset: 0 });
  if (!newest || newest.workchain === -1) throw notIndexed(mcSeqno);
  return {
    workchain: -1,
    shard: MASTERCHAIN,
    seqno: newest.master_ref_seqno,
    root_hash: newest.master_ref_root_hash,
    file_hash: newest.master_ref_file_hash,
    gen_utime: newest.gen_utime,
  };
}

/**
 * The masterchain seqno whose state is asked for: the newest visible one unless named.
 * @throws NotHeldError outside the visible range
 */
export function stateSeqno(scope: ReadScope, seqno: number | undefined): number {
  const { first, last } = scope.visible;
  if (seqno === undefined) return last;
  if (seqno < first || seqno > last) throw notIndexed(seqno);
  return seqno;
}

/** The failure of a masterchain seqno that is not visible. */
export function notIndexed(seqno: number): NotHeldError {
  return new NotHeldError(`block ${blockName(-1, MASTERCHAIN, seqno)} is not indexed`);
}
