import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scanPack } from '../../src/capture/archive/scan-pack.ts';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { openBlock } from '../../src/ton/decode/open-block.ts';
import { readBlockProof } from '../../src/ton/proofs/block-proof.ts';
import type { BlockToProve } from '../../src/ton/proofs/check-signatures.ts';
import {
  type ConfiguredValidators,
  configOfKeyBlock,
  configOfState,
  readConfiguredValidators,
} from '../../src/ton/proofs/configured-validators.ts';
import type { SignatureSet } from '../../src/ton/proofs/signature-set.ts';
import { loadShardStateUnsplit } from '../../src/ton/tlb/block/shard-state.ts';
import { loadWholeCell } from '../../src/ton/tlb/whole-cell.ts';
import { BenchError } from '../common/bench-error.ts';

/** Blocks with the signatures and validators that prove them. */
export interface SignedSet {
  readonly name: string;
  readonly validators: ConfiguredValidators;
  readonly blocks: readonly { readonly block: BlockToProve; readonly signatures: SignatureSet }[];
}

const KEY_SET = 'blocks/mainnet-mc-3082181';
const KEY_BLOCK = 3082181;
const FOLLOWING = 20;

/** The first 99 masterchain blocks, of a package with their proofs. */
export async function firstBlocks(data: string): Promise<SignedSet> {
  const state = parseBoc(readFileSync(join(data, 'accounts/states/mainnet_zerostate_-1.boc')));
  const { custom } = loadWholeCell(state, onlyRoot(state), 'ShardStateUnsplit', loadShardStateUnsplit);
  const path = join(data, 'blocks/packs/mainnet-genesis.archive.00000.pack');
  const pack = readFileSync(path);
  const { entries } = await scanPack(path);
  const ofKind = (kind: string) =>
    entries
      .filter(({ name }) => name.startsWith(`${kind}_`))
      .map(({ dataOffset, length }) => pack.subarray(dataOffset, dataOffset + length));
  const proofs = ofKind('proof');
  return {
    name: 'after the zerostate',
    validators: readConfiguredValidators(state, configOfState(state, custom)),
    blocks: ofKind('block').map((block, index) => signedBlock(block, proofs[index]!)),
  };
}

/** The masterchain blocks after a key block, in files. */
export function blocksAfterKey(data: string): SignedSet {
  const read = (name: string) => readFileSync(join(data, KEY_SET, name));
  const { boc, extra } = openBlock(read(`-1_8000000000000000_${KEY_BLOCK}.boc`));
  const seqnos = Array.from({ length: FOLLOWING }, (_, index) => KEY_BLOCK + 1 + index);
  return {
    name: `after key block ${KEY_BLOCK}`,
    validators: readConfiguredValidators(boc, configOfKeyBlock(boc, extra.custom)),
    blocks: seqnos.map((seqno) =>
      signedBlock(read(`-1_8000000000000000_${seqno}.boc`), read(`proof__${seqno}.boc`)),
    ),
  };
}

function signedBlock(bytes: Uint8Array, proof: Uint8Array): SignedSet['blocks'][number] {
  const { block, signatures } = readBlockProof(proof);
  const { genValidatorListHashShort, genCatchainSeqno } = openBlock(bytes).info;
  if (!signatures) throw new BenchError(`masterchain block ${block.seqno} has no signatures`);
  return { block: { ...block, genValidatorListHashShort, genCatchainSeqno }, signatures };
}
