import { beforeAll, expect, it } from 'vitest';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock, type VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import { Kernel } from '../../src/ton/kernel/kernel.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { ownMeta, readBytes, sharedBlocks } from './facts-blocks.ts';
import { columnDigests, outcomeOf } from './kernel-digests.ts';

/** With and without rows of old states: every level of verification is compared on every block. */
const STARTS: readonly { oldStatesBelowLt: bigint; levels: readonly VerifyLevel[] }[] = [
  { oldStatesBelowLt: 0n, levels: ['file', 'root'] },
  { oldStatesBelowLt: 1n << 63n, levels: ['none', 'tx'] },
];

describeWithChain(
  'kernel: every column of every shared block, byte for byte as the reader writes it',
  ({ data, isMainnet, ...counted }) => {
    const blocks = sharedBlocks(data).map((block) => {
      const bytes = readBytes(block.path);
      const header = readBlockHeader(bytes);
      return { ...block, bytes, startLt: header.startLt, meta: ownMeta(header) };
    });
    const sets = [...new Set(blocks.map((block) => block.name.split('/')[0] as string))];
    let kernel: Kernel;
    let compared = 0;
    beforeAll(async () => {
      kernel = await Kernel.load();
    });

    it.each(sets)('%s, block by block', (set) => {
      for (const { name, bytes, startLt, ...block } of blocks.filter(({ name }) =>
        name.startsWith(`${set}/`),
      )) {
        for (const { oldStatesBelowLt, levels } of STARTS) {
          // An index that begins before the block, and one that begins with it.
          const meta = { ...block.meta, indexedFromLt: oldStatesBelowLt === 0n ? 0n : startLt };
          const expected = outcomeOf(decodeBlock, bytes, meta, { verify: 'root', oldStatesBelowLt });
          expect(expected, name).toHaveProperty('counts');
          for (const verify of levels) {
            const found = outcomeOf((...all) => kernel.decodeBlock(...all), bytes, meta, {
              verify,
              oldStatesBelowLt,
            });
            expect(found, `${name}, ${verify}`).toEqual(expected);
          }
        }
        compared++;
      }
    });

    it('has compared all of them', () => {
      expect(compared).toBe(blocks.length);
      expect(compared).toBe(isMainnet ? 723 : counted.blocks);
    });

    it('in batches, with refused blocks between', () => {
      const options = { verify: 'tx', oldStatesBelowLt: 1n << 63n } as const;
      const [expected, found] = [new BaseColumns(), new BaseColumns()];
      for (const [index, { bytes, meta }] of blocks.entries()) {
        decodeBlock(bytes, meta, expected, options);
        kernel.add(bytes, meta, options);
        const other = blocks[(index + 1) % blocks.length] as (typeof blocks)[number];
        const refused = () => kernel.add(other.bytes, { ...other.meta, seqno: 4_000_000_000 }, options);
        expect(refused).toThrow(expect.objectContaining({ name: 'BlockError', code: 'header' }));
        if (kernel.waitingBytes > 1 << 20) kernel.drainInto(found);
      }
      kernel.drainInto(found);
      expect(found.rows()).toEqual(expected.rows());
      expect(columnDigests(found)).toEqual(columnDigests(expected));
      expect(kernel.waitingBytes).toBe(0);
    });
  },
);
