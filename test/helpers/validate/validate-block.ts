import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { checkExotics } from '../../../src/ton/boc/check-exotics.ts';
import { namingBlock } from '../../../src/ton/decode/block-error.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { loadMerkleUpdate } from '../../../src/ton/tlb/merkle-update.ts';
import { loadValueFlow } from '../../../src/ton/tlb/value-flow.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { checkAccountBlocks, checkMessages } from './account-rules.ts';
import { Findings, type Violation } from './findings.ts';
import { checkFlow } from './flow-rules.ts';
import { checkMasterchain } from './masterchain-rules.ts';
import { checkDescriptors } from './message-rules.ts';
import { checkStates } from './state-rules.ts';
import type { ValidatedBlock } from './validated-block.ts';

export type { Violation };

export interface Verdict {
  /** The rules that the block breaks; none for a valid one. */
  readonly violations: readonly Violation[];
  /** Number of checks made. */
  readonly checks: number;
}

/**
 * Holds a block against everything that it says of itself in more than one way: hashes and depths of Merkle cells, the
 * sums of every augmented dictionary, keys, canonical numbers and labels, the value flow, the chains of accounts'
 * transactions, messages on both sides, both states of the update. Not checked, as outside of the block:
 * signatures, the blocks before it, whether the TVM computes what the transactions claim.
 *
 * @throws BlockError: the bytes are no block at all, a cell does not hold what its type says, a number is not canonical
 */
export function validateBlock(bytes: Uint8Array): Verdict {
  return namingBlock('(validated)', () => {
    const open = openBlock(bytes);
    open.hashes.computeAll();
    checkExotics(open.hashes);
    const boc = { ...open.boc, canonical: true };
    const update = loadMerkleUpdate(new CellSlice(boc, open.root).resetAny(open.block.stateUpdate));
    const flow = loadWholeCell(boc, open.block.valueFlow, 'ValueFlow', loadValueFlow);
    const block: ValidatedBlock = { ...open, boc, update, flow, findings: new Findings() };
    const descriptors = checkDescriptors(block);
    const changes = checkAccountBlocks(block);
    checkMessages(block, changes, descriptors);
    checkFlow(block, descriptors, changes);
    checkStates(block, changes);
    checkMasterchain(block);
    return block.findings;
  });
}
