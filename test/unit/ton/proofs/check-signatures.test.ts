import { expect, it } from 'vitest';
import type { BlockSignature, SignatureSet } from '../../../../src/ton/proofs/signature-set.ts';
import { masterchainSubset } from '../../../../src/ton/proofs/validator-subset.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { idOf, refusalOf } from './made-validators.ts';
import {
  blockAfterKey,
  firstBlocks,
  KEY_BLOCK,
  keyBlockPath,
  validatorsOfKeyBlock,
  validatorsOfZerostate,
} from './signed-chain.ts';

describeWithData('signatures of real blocks', (data) => {
  const validators = validatorsOfKeyBlock(data, keyBlockPath);
  const { block, signatures } = blockAfterKey(data, KEY_BLOCK + 1);
  const changed = (change: (list: BlockSignature[]) => BlockSignature[]): SignatureSet => ({
    ...signatures,
    signatures: change([...signatures.signatures]),
    statedWeight: null,
  });
  const subset = masterchainSubset(validators.set, validators.catchain, block.genCatchainSeqno);

  it('prove each block after a key block', () => {
    for (let seqno = KEY_BLOCK + 1; seqno <= KEY_BLOCK + 20; seqno++) {
      const signed = blockAfterKey(data, seqno);
      expect(refusalOf(signed.signatures, signed.block, validators)).toBeNull();
    }
  });

  it('prove the first 99 blocks of mainnet by the configuration of the zerostate', () => {
    const first = validatorsOfZerostate(data);
    const blocks = firstBlocks(data);
    expect(blocks).toHaveLength(99);
    for (const signed of blocks) expect(refusalOf(signed.signatures, signed.block, first)).toBeNull();
  });

  it('in the form without a stated weight prove the block too', () => {
    expect(
      refusalOf(
        changed((list) => list),
        block,
        validators,
      ),
    ).toBeNull();
  });

  it('with one turned bit are refused', () => {
    const turn = ({ nodeId, signature }: BlockSignature, bit: number) => {
      const turned = signature.slice();
      turned[bit >> 3]! ^= 1 << (bit & 7);
      return { nodeId, signature: turned };
    };
    const last = signatures.signatures.length - 1;
    for (const [at, bit] of [
      [0, 0],
      [1, 255],
      [last, 300],
      [last, 511],
    ] as const) {
      const set = changed((list) => list.with(at, turn(list[at]!, bit)));
      expect(refusalOf(set, block, validators)).toBe('signature');
    }
  });

  it('of two thirds of the weight or less are refused', () => {
    // All validators of this set have about the same weight: one signer is taken out after the other.
    const codes = signatures.signatures.map((_, count) =>
      refusalOf(
        changed((list) => list.slice(0, count)),
        block,
        validators,
      ),
    );
    const weights = new Map(subset.members.map(({ publicKey, weight }) => [idOf(publicKey), weight]));
    let weight = 0n;
    for (const [count, code] of codes.entries()) {
      expect(code).toBe(weight * 3n > subset.totalWeight * 2n ? null : 'weight');
      weight += weights.get(signatures.signatures[count]!.nodeId.toHex())!;
    }
    expect(codes.filter((code) => code === 'weight').length).toBeGreaterThan(1);
  });

  it('with a signer twice, or an unknown one, are refused', () => {
    expect(
      refusalOf(
        changed((list) => [...list, list[0]!]),
        block,
        validators,
      ),
    ).toBe('signer');
    const stranger = { nodeId: new Uint8Array(32), signature: new Uint8Array(64) };
    expect(
      refusalOf(
        changed((list) => [...list, stranger]),
        block,
        validators,
      ),
    ).toBe('signer');
  });

  it('with another stated weight are refused', () => {
    const set = { ...signatures, statedWeight: signatures.statedWeight! + 1n };
    expect(refusalOf(set, block, validators)).toBe('weight');
  });

  it('of another block are refused', () => {
    const { signatures: others } = blockAfterKey(data, KEY_BLOCK + 2);
    expect(refusalOf(others, block, validators)).toBe('signature');
    const fileHash = block.fileHash.with(0, block.fileHash[0]! ^ 1);
    expect(refusalOf(signatures, { ...block, fileHash }, validators)).toBe('signature');
  });

  it('of other validators than the configuration names are refused', () => {
    expect(refusalOf(signatures, block, validatorsOfZerostate(data))).toBe('validators');
    const earlier = validatorsOfKeyBlock(data, 'blocks/mainnet-single/-1_8000000000000000_2908265.boc');
    expect(refusalOf(signatures, block, earlier)).toBe('validators');
  });

  it('of another catchain seqno or list hash are refused', () => {
    const seqno = block.genCatchainSeqno + 1;
    expect(refusalOf({ ...signatures, catchainSeqno: seqno }, block, validators)).toBe('validators');
    expect(refusalOf(signatures, { ...block, genCatchainSeqno: seqno }, validators)).toBe('validators');
    expect(refusalOf({ ...signatures, listHash: 1 }, block, validators)).toBe('validators');
    expect(refusalOf(signatures, { ...block, genValidatorListHashShort: 1 }, validators)).toBe('validators');
  });
});
