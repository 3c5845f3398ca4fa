import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { checkExotics } from '../../../src/ton/boc/check-exotics.ts';
import { namingBlock } from '../../../src/ton/decode/block-error.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { loadValueFlow } from '../../../src/ton/tlb/block/value-flow.ts';
import { loadMerkleUpdate } from '../../../src/ton/tlb/merkle-update.ts';
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
 * Checks a block for internal consistency: hashes and depths of Merkle cells, the sums of every augmented dictionary,
 * keys, canonical numbers and labels, the value flow, the chains of accounts' transactions, messages on both sides,
 * both states of the update. Facts outside the block are not checked: signatures, earlier blocks, whether the TVM
 * computes the claimed transactions.
 *
 * @throws BlockError: the bytes are not a block, a cell does not match its type, a number is not canonical
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
