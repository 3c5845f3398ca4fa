import { applyUpdate } from '../../ton/cell/apply-update.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { CellsOfBag, readCell } from '../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { readBlockHeader } from '../../ton/decode/block-header.ts';
import { openBlock } from '../../ton/decode/open-block.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { readLedger } from '../ledger/read-ledger.ts';
import { LocalnetError } from '../localnet-error.ts';
import type { SavedStep, Snapshot } from './state-files.ts';

/** The chain in its stored form. `loaded`: names of the accounts that it loaded from the origin of a fork. */
export function saveChain({ masterchain, shards }: ChainState, loaded: readonly string[] = []): Snapshot {
  const states = [masterchain, ...shards].map(({ block, state }) => ({ block, boc: writeBag(state) }));
  return { mcSeqno: masterchain.block.seqno, states, ...(loaded.length > 0 && { loaded }) };
}

/** A shard's tip while steps are applied. */
interface Tip {
  readonly shard: bigint;
  readonly block: ExtBlkRef;
  readonly state: Cell;
}

/**
 * The chain after a snapshot and the following steps: each block's update is applied to the previous state, so that the
 * result follows from the blocks, however they were made.
 * @throws LocalnetError, ApplyUpdateError
 */
export function restoreChain(snapshot: Snapshot, steps: readonly SavedStep[]): ChainState {
  const [first, ...others] = snapshot.states.map(({ block, boc }) => ({ block, state: readCell(boc) }));
  const tips = new Map<string, Tip>();
  for (const tip of [first!, ...others]) {
    const { workchain, shard } = readLedgerIdent(tip.state);
    tips.set(`${workchain}:${shard}`, { ...tip, shard });
  }
  for (const step of steps) for (const boc of step.blocks) applyBlock(tips, boc);
  const read = [...tips.values()].map(({ state, block }) => readLedger(state, block));
  const masterchain = read.find(({ extra }) => extra !== null);
  if (!masterchain?.extra) throw new LocalnetError('saved states', 'one of the masterchain', 'none');
  const shards = read
    .filter(({ extra }) => extra === null)
    .map(({ ledger }) => ledger)
    .sort((a, b) => (a.ident.shard < b.ident.shard ? -1 : 1));
  return { masterchain: masterchain.ledger, extra: masterchain.extra, shards };
}

/** Workchain and shard of a state. */
function readLedgerIdent(state: Cell): { workchain: number; shard: bigint } {
  const view = new DataView(state.data.buffer, state.data.byteOffset);
  // shard_state#9023afe2 global_id:int32, then ShardIdent: 2 + 6 bits, workchain:int32, prefix:uint64.
  const prefixBits = view.getUint8(8) & 63;
  const prefix = view.getBigUint64(13);
  return { workchain: view.getInt32(9), shard: prefix | (1n << BigInt(63 - prefixBits)) };
}

function applyBlock(tips: Map<string, Tip>, bytes: Uint8Array): void {
  const header = readBlockHeader(bytes);
  const { workchain, shard, seqno, rootHash, fileHash, endLt } = header;
  const prev = header.prevRefs[0]!;
  const parent = `${workchain}:${prev.shard}`;
  const before = tips.get(parent);
  if (!before || !Buffer.from(before.block.rootHash).equals(prev.rootHash))
    throw new LocalnetError(
      `saved block (${workchain},${shard.toString(16)},${seqno})`,
      'its parent',
      'another',
    );
  const { block, boc } = openBlock(bytes);
  const update = new CellsOfBag(boc).cell(block.stateUpdate);
  const state = applyUpdate(before.state, update);
  // A split shard's parent is still needed for its sibling; `dropParent` takes it out.
  tips.set(`${workchain}:${shard}`, { shard, block: { endLt, seqno, rootHash, fileHash }, state });
  if (header.afterSplit) dropParent(tips, workchain, prev.shard, shard);
}

/** Takes a split shard out once both halves are there. */
function dropParent(tips: Map<string, Tip>, workchain: number, parent: bigint, child: bigint): void {
  const sibling = 2n * parent - child;
  if (tips.has(`${workchain}:${sibling}`)) tips.delete(`${workchain}:${parent}`);
}
