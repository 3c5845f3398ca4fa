import { onlyRoot, parseBoc } from '../../../src/ton/boc/boc.ts';
import { readBlockHeader } from '../../../src/ton/decode/block-header.ts';
import { openBlock } from '../../../src/ton/decode/open-block.ts';
import { type BlockToProve, checkSignatures } from '../../../src/ton/proofs/check-signatures.ts';
import {
  type ConfiguredValidators,
  configOfKeyBlock,
  configOfState,
  readConfiguredValidators,
} from '../../../src/ton/proofs/configured-validators.ts';
import type { SignatureSet } from '../../../src/ton/proofs/signature-set.ts';
import { loadShardStateUnsplit } from '../../../src/ton/tlb/block/shard-state.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';

/** Follows a chain from its zerostate as a client does: each key block names the validators of the blocks after it. */
export class VerifiedChain {
  validators: ConfiguredValidators;
  /** Seqnos of the key blocks so far. */
  readonly keyBlocks: number[] = [];

  constructor(zerostate: Uint8Array) {
    const boc = parseBoc(zerostate);
    const { custom } = loadWholeCell(boc, onlyRoot(boc), 'ShardStateUnsplit', loadShardStateUnsplit);
    this.validators = readConfiguredValidators(boc, configOfState(boc, custom));
  }

  /** Checks the next masterchain block. @throws SignatureError */
  add(bytes: Uint8Array, signaturesOf: (block: BlockToProve) => SignatureSet): BlockToProve {
    const block = blockToProve(bytes);
    checkSignatures(signaturesOf(block), block, this.validators);
    const { boc, extra, info } = openBlock(bytes);
    if (info.keyBlock) {
      this.validators = readConfiguredValidators(boc, configOfKeyBlock(boc, extra.custom));
      this.keyBlocks.push(block.seqno);
    }
    return block;
  }
}

/** A masterchain block with the fields of its header that signatures refer to. */
export function blockToProve(bytes: Uint8Array): BlockToProve {
  const { genValidatorListHashShort, genCatchainSeqno } = openBlock(bytes).info;
  return { ...readBlockHeader(bytes), genValidatorListHashShort, genCatchainSeqno };
}
