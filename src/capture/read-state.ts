import { type Boc, onlyRoot } from '../ton/boc/boc.ts';
import { CellHashes } from '../ton/boc/cell-hashes.ts';
import { CellSlice } from '../ton/boc/cell-slice.ts';
import { isComplete } from '../ton/boc/serialize.ts';
import { Contradiction, namingBlock } from '../ton/decode/block-error.ts';
import { sha256 } from '../ton/hash/sha256.ts';
import { loadShardHashes } from '../ton/tlb/block/shard-hashes.ts';
import { loadShardStateUnsplit, type ShardStateUnsplit } from '../ton/tlb/block/shard-state.ts';
import { expectTag } from '../ton/tlb/tag.ts';
import { loadWholeCell } from '../ton/tlb/whole-cell.ts';
import type { BlockIdExt } from './block-id.ts';
import { shardTop } from './read-block.ts';
import type { SourceState } from './source.ts';

/** Largest file that is read into memory, 2 GiB: a state of as many cells as the reader takes (ton/boc/boc.ts) is smaller. */
export const MAX_FILE_BYTES = 2 ** 31;

/** `shard_state#9023afe2`, ShardStateUnsplit. */
export const STATE_TAG = 0x9023afe2;

/**
 * The facts of a whole shard state that a start needs. Its accounts are read by the decode stage.
 * @throws BlockError: not a state, or a pruned one, from which no index can start
 */
export function readSourceState(boc: Boc, origin: string): SourceState {
  return namingBlock('(state)', () => {
    const root = onlyRoot(boc);
    if (!isComplete(boc, root))
      throw new Contradiction('kind', 'the state is not whole: it has pruned branches');
    const state = loadWholeCell(boc, root, 'ShardStateUnsplit', loadShardStateUnsplit);
    const { globalId, vertSeqno, seqno } = state;
    const { workchain, shard } = state.shard;
    const rootHash = new CellHashes(boc).hash(root);
    return {
      id: { workchain, shard, seqno, rootHash, fileHash: sha256(boc.bytes) },
      boc: boc.bytes,
      globalId,
      vertSeqno,
      mcSeqno: getMcSeqno(state),
      shards: state.custom < 0 ? null : readShards(boc, state.custom),
      origin,
    };
  });
}

function getMcSeqno({ shard, seqno, totals }: ShardStateUnsplit): number {
  if (shard.workchain === -1 || seqno === 0) return seqno;
  const masterRef = totals?.masterRef;
  if (!masterRef) throw new Contradiction('kind', 'a shard state that names no masterchain block');
  return masterRef.seqno;
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ … ] global_balance:CurrencyCollection
//   = McStateExtra;
function readShards(boc: Boc, custom: number): BlockIdExt[] {
  const extra = new CellSlice(boc, custom);
  expectTag(extra, 16, 0xcc26, 'McStateExtra');
  const root = extra.maybeRef();
  return root < 0 ? [] : loadShardHashes(boc, root).map(shardTop);
}
