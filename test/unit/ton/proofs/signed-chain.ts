import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { openBlock } from '../../../../src/ton/decode/open-block.ts';
import { readBlockProof } from '../../../../src/ton/proofs/block-proof.ts';
import type { BlockToProve } from '../../../../src/ton/proofs/check-signatures.ts';
import {
  type ConfiguredValidators,
  configOfKeyBlock,
  configOfState,
  readConfiguredValidators,
} from '../../../../src/ton/proofs/configured-validators.ts';
import type { SignatureSet } from '../../../../src/ton/proofs/signature-set.ts';
import { loadShardStateUnsplit } from '../../../../src/ton/tlb/block/shard-state.ts';
import { loadWholeCell } from '../../../../src/ton/tlb/whole-cell.ts';

/** A masterchain block with the signatures that its archive has. */
export interface SignedRealBlock {
  readonly block: BlockToProve;
  readonly signatures: SignatureSet;
}

/** Mainnet's key block; 20 masterchain blocks follow it. */
export const KEY_BLOCK = 3082181;
const KEY_SET = 'blocks/mainnet-mc-3082181';

/** Validators that a key block of the shared data names. */
export function validatorsOfKeyBlock(data: string, path: string): ConfiguredValidators {
  const { boc, extra } = openBlock(readFileSync(join(data, path)));
  return readConfiguredValidators(boc, configOfKeyBlock(boc, extra.custom));
}

export const keyBlockPath = `${KEY_SET}/-1_8000000000000000_${KEY_BLOCK}.boc`;

/** Validators that mainnet's zerostate names. */
export function validatorsOfZerostate(data: string): ConfiguredValidators {
  const boc = parseBoc(readFileSync(join(data, 'accounts/states/mainnet_zerostate_-1.boc')));
  const { custom } = loadWholeCell(boc, onlyRoot(boc), 'ShardStateUnsplit', loadShardStateUnsplit);
  return readConfiguredValidators(boc, configOfState(boc, custom));
}

/** A block after the key block, up to 3082201. */
export function blockAfterKey(data: string, seqno: number): SignedRealBlock {
  const block = readFileSync(join(data, KEY_SET, `-1_8000000000000000_${seqno}.boc`));
  return signed(block, readFileSync(join(data, KEY_SET, `proof__${seqno}.boc`)));
}

/** The first 99 masterchain blocks of mainnet, of an archive package of a node. */
export function firstBlocks(data: string): SignedRealBlock[] {
  const blocks: Uint8Array[] = [];
  const proofs: Uint8Array[] = [];
  const pack = readFileSync(join(data, 'blocks/packs/mainnet-genesis.archive.00000.pack'));
  for (let at = 4; at < pack.length; ) {
    const start = at + 8 + pack.readUInt16LE(at + 2);
    const end = start + pack.readUInt32LE(at + 4);
    const isProof = pack.toString('latin1', at + 8, at + 13) === 'proof';
    (isProof ? proofs : blocks).push(pack.subarray(start, end));
    at = end;
  }
  return blocks.map((block, index) => signed(block, proofs[index]!));
}

function signed(bytes: Uint8Array, proof: Uint8Array): SignedRealBlock {
  const { block, signatures } = readBlockProof(proof);
  const { rootHash, fileHash } = readBlockHeader(bytes);
  const { genValidatorListHashShort, genCatchainSeqno } = openBlock(bytes).info;
  if (!signatures || !Buffer.from(block.rootHash).equals(rootHash))
    throw new Error(`no proof of the block ${block.seqno}`);
  return {
    block: { ...block, rootHash, fileHash, genValidatorListHashShort, genCatchainSeqno },
    signatures,
  };
}
