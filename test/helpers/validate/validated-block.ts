import type { Boc } from '../../../src/ton/boc/boc.ts';
import type { CellHashes } from '../../../src/ton/boc/cell-hashes.ts';
import type { OpenBlock } from '../../../src/ton/decode/open-block.ts';
import type { ValueFlow } from '../../../src/ton/tlb/block/value-flow.ts';
import type { MerkleUpdate } from '../../../src/ton/tlb/merkle-update.ts';
import type { Findings } from './findings.ts';

/** A block under validation: shared by all rules. */
export interface ValidatedBlock extends OpenBlock {
  readonly boc: Boc;
  readonly hashes: CellHashes;
  readonly flow: ValueFlow;
  readonly update: MerkleUpdate;
  readonly findings: Findings;
}

/** First global version in which `ihr_fee` of a message holds flags and is no part of its value. */
const IHR_FEE_IS_FLAGS = 12;

/** Whether a message's `ihr_fee` is money in this block. */
export function paysIhrFee({ info }: OpenBlock): boolean {
  return (info.genSoftware?.version ?? 0) < IHR_FEE_IS_FLAGS;
}
