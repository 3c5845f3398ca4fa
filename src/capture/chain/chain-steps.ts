import { type BlockId, type BlockIdExt, sameBlock } from '../block-id.ts';
import { readShardTops, readStateHashBefore } from '../read-block.ts';
import type { ChainTip, SourceBlock, Step } from '../source.ts';
import { ChainGapError, ChangedBlockError, MissingBlockError } from './chain-errors.ts';
import { Continuity } from './continuity.ts';

/** Blocks at rest, found by their place in the chain: a folder of files, an archive. */
export interface BlockShelf {
  /** Id of the masterchain block, without reading it; null if there is none. */
  masterchainId(seqno: number): Promise<BlockIdExt | null>;
  /** The lowest masterchain seqno that is at least this one, or null. */
  masterchainFrom(seqno: number): Promise<number | null>;
  /** Reads a block and proves that its bytes have the hashes of its id. */
  read(id: BlockId): Promise<SourceBlock | null>;
  /** Why a block may be missing, if the shelf knows: its package is still being written. */
  unfinished(id: BlockIdExt): string | null;
  /**
   * Waits until masterchain block `seqno` (null: the first one) may be there with everything that it commits. Returns false
   * after a stop. Absent if the shelf does not grow.
   * @throws `absent`, the error of a missing block, if it will not come
   */
  more?(seqno: number | null, absent: AbsentBlockError | null, signal: AbortSignal): Promise<boolean>;
}

/** A block is missing although the chain goes on after it. */
export type AbsentBlockError = ChainGapError | MissingBlockError;

/** The steps of a complete chain after `after`; for null all of them, from the lowest masterchain block on. */
export async function* chainSteps(
  shelf: BlockShelf,
  after: ChainTip | null,
  hardForks: readonly BlockIdExt[],
  signal: AbortSignal,
): AsyncGenerator<Step> {
  if (after) await checkTip(shelf, after);
  const continuity = new Continuity<SourceBlock>(after, { stateHashBefore: readStateHashBefore, hardForks });
  let seqno = after ? after.mcSeqno + 1 : null;
  while (!signal.aborted) {
    seqno ??= await shelf.masterchainFrom(0);
    const step = seqno === null ? null : await readStep(shelf, continuity, seqno);
    if (seqno !== null && step && !(step instanceof Error)) {
      yield step;
      seqno++;
    } else if (shelf.more) {
      if (!(await shelf.more(seqno, step instanceof Error ? step : null, signal))) return;
    } else if (step instanceof Error && !isUnfinished(shelf, step)) throw step;
    else return;
  }
}

/** Checks that the source has the log's last masterchain block, if it has one of that seqno. */
async function checkTip(shelf: BlockShelf, { masterchain }: ChainTip): Promise<void> {
  const { rootHash, fileHash } = masterchain;
  if (!rootHash || !fileHash) return;
  const id = await shelf.masterchainId(masterchain.seqno);
  const known = { ...masterchain, rootHash, fileHash };
  if (id && !sameBlock(id, known)) throw new ChangedBlockError(known, 'the log', id, 'the source');
}

function isUnfinished(shelf: BlockShelf, absent: AbsentBlockError): boolean {
  return absent instanceof MissingBlockError && shelf.unfinished(absent.id) !== null;
}

/** Null at the end: no masterchain block from here on. */
async function readStep(
  shelf: BlockShelf,
  continuity: Continuity<SourceBlock>,
  seqno: number,
): Promise<Step | AbsentBlockError | null> {
  const id = await shelf.masterchainId(seqno);
  const block = id && (await shelf.read(id));
  if (!block) {
    const next = await shelf.masterchainFrom(seqno);
    if (next === null) return null;
    const where = (await shelf.read((await shelf.masterchainId(next))!))?.origin ?? '';
    return new ChainGapError(seqno, next, where);
  }
  // Where a chain begins, parents that are not there are taken for blocks before it: they may not be written yet.
  const isBegin = continuity.tip === null && seqno > 1;
  if (shelf.more && isBegin && (await shelf.masterchainFrom(seqno + 1)) === null) return null;
  try {
    const shardBlocks = await continuity.next(block, readShardTops(block), (wanted) => shelf.read(wanted));
    return { mcSeqno: seqno, states: [], blocks: [...shardBlocks, block] };
  } catch (error) {
    if (error instanceof MissingBlockError) return error;
    throw error;
  }
}
