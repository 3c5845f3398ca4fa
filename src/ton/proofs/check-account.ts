import { type Boc, onlyRoot, parseBoc } from '../boc/boc.ts';
import { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { findLeaf } from '../boc/find-leaf.ts';
import { blockName } from '../decode/block-error.ts';
import type { BlockId } from '../decode/block-header.ts';
import { loadDepthBalanceInfo } from '../tlb/account/depth-balance-info.ts';
import { loadShardAccount, type ShardAccount } from '../tlb/account/shard-account.ts';
import { checkState, findShardTop, type ProvenState } from './check-state.ts';
import { expectHash, ProofError, proving } from './proof-error.ts';

/** The answer of `getAccountState` and the account that was asked for. */
export interface AccountAnswer {
  /** The trusted masterchain block; for an account of the masterchain the shard block too. */
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly account: { readonly workchain: number; readonly address: Uint8Array };
  /** Empty if `shardBlock` is `id`. */
  readonly shardProof: Uint8Array;
  readonly proof: Uint8Array;
  /** A bag with the Account; empty if there is none. */
  readonly state: Uint8Array;
}

/** An account that exists, proven. */
export interface ProvenAccount extends Omit<ShardAccount, 'account'> {
  /** The bag of the Account, and its root. */
  readonly boc: Boc;
  readonly root: number;
  readonly hash: Uint8Array;
}

/**
 * Checks that a shard block is the newest of the account's shard in a masterchain block, that the account's entry is in
 * the state after that shard block, and that the state's bag is the entry's cell.
 * @returns null if the account is proven to be absent
 * @throws ProofError
 */
export function checkAccount(answer: AccountAnswer): ProvenAccount | null {
  checkShardBlock(answer);
  const shard = checkState(answer.proof, answer.shardBlock);
  const entry = accountIn(shard, answer.account.address);
  return proving('an account', () => parseAccount(answer.state, entry));
}

/** An account's entry in a proven state; null if it is absent. @throws ProofError */
export function accountIn(
  { tree, state }: ProvenState,
  address: Uint8Array,
): (Omit<ShardAccount, 'account'> & { readonly hash: Uint8Array }) | null {
  const { boc, hashes } = tree;
  return proving('an account in a state', () => {
    const root = new CellSlice(boc, state.accounts).maybeRef();
    const leaf = root < 0 ? null : findLeaf(new CellSlice(boc, root), { bytes: address, bits: 256 });
    if (!leaf) return null;
    loadDepthBalanceInfo(leaf);
    const { account, lastTransHash, lastTransLt } = loadShardAccount(leaf);
    return { lastTransHash, lastTransLt, hash: hashes.hash(account, 0) };
  });
}

function parseAccount(state: Uint8Array, entry: ReturnType<typeof accountIn>): ProvenAccount | null {
  if (!entry) {
    if (state.length > 0) throw new ProofError('an absent account', 'no state', `${state.length} bytes`);
    return null;
  }
  if (state.length === 0) throw new ProofError('an account', entry.hash, 'no state');
  const boc = parseBoc(state);
  const root = onlyRoot(boc);
  // The hash of level 3: no cell of the account may be pruned.
  expectHash('an account', entry.hash, new CellHashes(boc).hash(root));
  return { ...entry, boc, root };
}

/**
 * Checks that `shardBlock` is the newest block of the account's shard in the masterchain block `id`.
 * @throws ProofError
 */
export function checkShardBlock(
  answer: Pick<AccountAnswer, 'id' | 'shardBlock' | 'account' | 'shardProof'>,
): void {
  const { id, shardBlock, account, shardProof } = answer;
  if (account.workchain === id.workchain) {
    if (!isSameBlock(id, shardBlock))
      throw new ProofError("an account's block", blockName(id), blockName(shardBlock));
    return;
  }
  const prefix = new DataView(account.address.buffer, account.address.byteOffset).getBigUint64(0);
  const top = findShardTop(checkState(shardProof, id), { workchain: account.workchain, prefix });
  if (!top) throw new ProofError("an account's shard", `workchain ${account.workchain}`, 'no shards');
  if (!isSameBlock(top, shardBlock))
    throw new ProofError("an account's shard block", blockName(top), blockName(shardBlock));
}

/** True if two block ids are equal in every field. */
export function isSameBlock(a: BlockId, b: BlockId): boolean {
  return (
    a.workchain === b.workchain &&
    a.shard === b.shard &&
    a.seqno === b.seqno &&
    Buffer.from(a.rootHash).equals(b.rootHash) &&
    Buffer.from(a.fileHash).equals(b.fileHash)
  );
}
