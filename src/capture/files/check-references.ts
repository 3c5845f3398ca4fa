import { type BlockIdExt, blockIdText, isMasterchain, sameBlock } from '../block-id.ts';
import { ChangedBlockError, ForeignBlockError } from '../chain/chain-errors.ts';

/** Parts of a block's header that reveal blocks of another chain. */
export interface BlockReferences {
  readonly id: BlockIdExt;
  readonly file: string;
  readonly globalId: number;
  readonly masterRef: BlockIdExt | null;
  readonly prevRefs: readonly BlockIdExt[];
}

/** References of other blocks to one masterchain block. */
interface Standing {
  readonly block: BlockReferences;
  /** Blocks that refer to it with matching hashes. */
  agreeing: number;
  /** Blocks that name another one in its place. */
  against: BlockReferences[];
}

/**
 * Searches for blocks of another network in a folder: a global_id that most others do not have, or a reference to a
 * masterchain block with other hashes than the file has. The other blocks decide which of the two is wrong.
 *
 * @throws ForeignBlockError, ChangedBlockError
 */
export function checkReferences(blocks: readonly BlockReferences[]): void {
  checkGlobalIds(blocks);
  const standings = new Map<number, Standing>();
  for (const block of blocks) {
    if (isMasterchain(block.id)) standings.set(block.id.seqno, { block, agreeing: 0, against: [] });
  }
  for (const block of blocks) {
    const named = masterchainReference(block);
    const there = named && standings.get(named.seqno);
    if (!there) continue;
    if (sameBlock(there.block.id, named)) there.agreeing++;
    else there.against.push(block);
  }
  for (const standing of standings.values()) {
    const [accuser] = standing.against;
    if (accuser) throw blame(standing, accuser, standings);
  }
}

function blame(there: Standing, accuser: BlockReferences, standings: ReadonlyMap<number, Standing>): Error {
  const { block, agreeing, against } = there;
  const named = masterchainReference(accuser)!;
  const where = `${blockIdText(accuser.id)} in ${accuser.file}`;
  const before = masterchainReference(block);
  const follows = before && standings.get(before.seqno)?.against.includes(block) === false;
  const trusted = against.some(
    ({ id }) => isMasterchain(id) && (standings.get(id.seqno)?.agreeing ?? 0) > agreeing,
  );
  if (trusted || against.length > agreeing + (follows ? 1 : 0))
    return new ChangedBlockError(named, where, block.id, block.file);
  return new ForeignBlockError(where, 'a masterchain block it names', hashes(block.id), hashes(named));
}

function hashes({ workchain, shard, seqno, rootHash }: BlockIdExt): string {
  return `${blockIdText({ workchain, shard, seqno })} with root ${Buffer.from(rootHash).toString('hex')}`;
}

/** The one masterchain block that every block names: the one it was made under, or the one before it. */
function masterchainReference({ id, masterRef, prevRefs }: BlockReferences): BlockIdExt | null {
  if (isMasterchain(id)) return prevRefs[0] ?? null;
  return masterRef;
}

function checkGlobalIds(blocks: readonly BlockReferences[]): void {
  const counts = new Map<number, number>();
  for (const { globalId } of blocks) counts.set(globalId, (counts.get(globalId) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const foreign = blocks.find(({ globalId }) => globalId !== most);
  if (foreign === undefined) return;
  const where = `${blockIdText(foreign.id)} in ${foreign.file}`;
  throw new ForeignBlockError(where, 'global_id', `${most}`, `${foreign.globalId}`);
}
