import type { TlValue } from '../liteapi/schema/values.ts';
import type { CellSlice } from '../ton/boc/cell-slice.ts';
import type { Cell } from '../ton/cell/cell.ts';
import { blockName } from '../ton/decode/block-error.ts';
import type { BlockId } from '../ton/decode/block-header.ts';
import { isSameBlock } from '../ton/proofs/check-account.ts';
import { visitExtra, visitShard } from '../ton/proofs/visit-state.ts';
import type { Visits } from '../ton/proofs/visits.ts';
import { loadShardTop } from '../ton/tlb/block/shard-descr.ts';
import { blockKey, type LiteBlock } from './chain/lite-block.ts';
import type { BlockSought } from './chain/lite-chain.ts';
import type { LiteContext } from './lite-context.ts';
import { badRequest, noBlock, noState } from './lite-refusals.ts';
import { headerProof, prove, toBag } from './proof-bags.ts';
import { fromTl } from './tl-values.ts';

/** A block from memory or from the index. @throws LiteServerError */
export async function findBlock({ chain, older }: LiteContext, sought: BlockSought): Promise<LiteBlock> {
  const inMemory = chain.find(sought);
  const found = inMemory ?? (await older?.find(sought)) ?? null;
  if (!found) throw noBlock(soughtText(sought));
  return found;
}

/** The newest masterchain block. A source without new blocks has only those of the index. @throws LiteServerError */
export async function needHead({ chain, older }: LiteContext): Promise<LiteBlock> {
  const head = chain.head ?? (await older?.newest()) ?? null;
  if (!head) throw noBlock('the first block');
  return head;
}

function soughtText(sought: BlockSought): string {
  if ('seqno' in sought) return `block ${blockName(sought)}`;
  const name = `block of (${sought.workchain},${sought.shard.toString(16)})`;
  return 'lt' in sought ? `${name} with lt ${sought.lt}` : `${name} with time ${sought.utime}`;
}

/** The block of an id, whose hashes must be the id's. @throws LiteServerError */
export async function needBlock(context: LiteContext, id: TlValue<'blockIdExt'>): Promise<LiteBlock> {
  const wanted = fromTl(id);
  const block = await findBlock(context, wanted);
  if (!isSameBlock(block.header, wanted)) throw noBlock(`block ${blockName(wanted)} with these hashes`);
  return block;
}

/** As `needBlock`, for a masterchain block. @throws LiteServerError */
export async function needMasterBlock(context: LiteContext, id: TlValue<'blockIdExt'>): Promise<LiteBlock> {
  if (id.workchain !== -1) throw badRequest('a masterchain block is needed');
  return needBlock(context, id);
}

/** A block or zerostate of an id, and the state there. */
export interface StatedId {
  readonly id: BlockId;
  /** null for a zerostate. */
  readonly block: LiteBlock | null;
  readonly state: Cell;
}

/** The state after a block, or a zerostate. @throws LiteServerError */
export async function needState(context: LiteContext, tlId: TlValue<'blockIdExt'>): Promise<StatedId> {
  const id = fromTl(tlId);
  if (id.seqno !== 0) return statedBlock(context, await needBlock(context, tlId));
  const known = context.chain.zerostates.get(blockKey(id));
  const state = known && isSameBlock(known.id, id) ? context.chain.zerostate(id) : null;
  if (!state) throw noState(id);
  return { id, block: null, state };
}

/** As `needState`, for a block that is at hand. @throws LiteServerError */
export function statedBlock({ chain }: LiteContext, block: LiteBlock): StatedId {
  const state = chain.stateAfter(block);
  if (!state) throw noState(block.header);
  return { id: block.header, block, state };
}

/** As `needState`, for the masterchain. @throws LiteServerError */
export function needMasterState(context: LiteContext, id: TlValue<'blockIdExt'>): Promise<StatedId> {
  if (id.workchain !== -1) throw badRequest('a masterchain block is needed');
  return needState(context, id);
}

/** Header and state proof as two cells. A zerostate has no header: the state's root takes its place. */
export function stateProof<T>(
  { block, state }: StatedId,
  visit: (visits: Visits) => T,
): { readonly header: Cell; readonly proof: Cell; readonly result: T } {
  const { proof, result } = prove(state, visit);
  const header = block ? headerProof(block) : prove(state, (visits) => visits.open(state)).proof;
  return { header, proof, result };
}

/** A point of a workchain: `prefix` is the first 64 bits of an address, or a shard. */
export interface ShardPoint {
  readonly workchain: number;
  readonly prefix: bigint;
}

/** A shard's newest block, and a slice at its ShardDescr. */
export interface LocatedShard {
  readonly id: BlockId;
  readonly descr: CellSlice;
}

/** Visits the way to the shard that contains a point; null if the workchain has no shards. */
export function locateShard(
  visits: Visits,
  shardHashes: Cell | null,
  point: ShardPoint,
): LocatedShard | null {
  const found = visitShard(visits, shardHashes, point);
  if (!found) return null;
  const { workchain, shard } = found;
  const { seqno, rootHash, fileHash } = loadShardTop(found.descr.clone());
  return { id: { workchain, shard, seqno, rootHash, fileHash }, descr: found.descr };
}

/** The shard of a point in a masterchain state, with the proof of two roots. @throws LiteServerError there is none */
export function provenShard(
  master: StatedId,
  point: ShardPoint,
): LocatedShard & { readonly proof: Uint8Array } {
  const { header, proof, result } = stateProof(master, (visits) =>
    locateShard(visits, visitExtra(visits, master.state).shardHashes, point),
  );
  if (!result) throw noBlock(`a shard of workchain ${point.workchain}`);
  return { ...result, proof: toBag([header, proof]) };
}
