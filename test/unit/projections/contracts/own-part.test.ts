import { expect, it } from 'vitest';
import type { DecodeRecords } from '../../../../src/engine/decoding/chunk.ts';
import { createDecoder } from '../../../../src/projections/contracts/contract-decoder.ts';
import type { Fact } from '../../../../src/projections/contracts/fact.ts';
import { ownPart } from '../../../../src/projections/contracts/own-part.ts';
import { readFacts } from '../../../../src/projections/contracts/pack-facts.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { ownMeta, readBytes, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { DECODER_OPTIONS, rawBlockRecord } from '../../../helpers/raw-block-records.ts';
import { describeWithChain } from '../../../helpers/shared-data.ts';

const partitions = 3;

describeWithChain('facts of one partition of contracts', ({ data, set }) => {
  it('are those of all that belong to its accounts and codes, in the same order', async () => {
    const records = sharedBlocks(data, set).map(({ path }) => {
      const bytes = readBytes(path);
      return rawBlockRecord(bytes, ownMeta(readBlockHeader(bytes)));
    });
    const decode: DecodeRecords = await createDecoder({
      ...DECODER_OPTIONS,
      verify: 'none',
      namesAbsent: true,
    });
    const all = readFacts(decode(records, null).parts);
    for (const type of ['state', 'code']) expect(all.map((fact) => fact.type)).toContain(type);
    for (let partition = 0; partition < partitions; partition++) {
      const share = { partition, partitions };
      const isOwn = ownPart(share);
      const own = all.filter((fact: Fact) =>
        isOwn(fact.type === 'code' ? fact.codeHash : fact.account.address),
      );
      expect(own.length).toBeLessThan(all.length);
      expect(readFacts(decode(records, null, share).parts)).toEqual(own);
    }
  });
});
