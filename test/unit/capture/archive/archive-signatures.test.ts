import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ArchiveSignatures } from '../../../../src/capture/archive/archive-signatures.ts';
import { findPacks } from '../../../../src/capture/archive/pack-groups.ts';
import { checkSignatures } from '../../../../src/ton/proofs/check-signatures.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { firstBlocks, validatorsOfZerostate } from '../../ton/proofs/signed-chain.ts';

describeWithData('signatures of an archive', (data) => {
  const open = async () => {
    const folder = await findPacks(join(data, 'blocks/packs'));
    return new ArchiveSignatures({ folder, mayGrow: false });
  };

  it('prove each block of the packages', async () => {
    const signatures = await open();
    const validators = validatorsOfZerostate(data);
    for (const { block } of firstBlocks(data))
      checkSignatures((await signatures.read(block))!, block, validators);
  });

  it('are unknown for a block that is not in it, and for another block of the same seqno', async () => {
    const signatures = await open();
    const { block } = firstBlocks(data)[0]!;
    expect(await signatures.read({ ...block, seqno: 100 })).toBeNull();
    expect(await signatures.read({ ...block, fileHash: new Uint8Array(32) })).toBeNull();
    expect(await signatures.read({ ...block, workchain: 0 })).toBeNull();
    expect(await signatures.read(block)).toMatchObject({ kind: 'ordinary', catchainSeqno: 0 });
  });
});
