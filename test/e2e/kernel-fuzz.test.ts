import { beforeAll, expect, it } from 'vitest';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock, type VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import { Kernel } from '../../src/ton/kernel/kernel.ts';
import { fuzzSamples, fuzzSeed } from '../helpers/fuzz-size.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { fileHashOf, ownMeta, readBytes, type SharedBlock, sharedBlocks } from './facts-blocks.ts';
import { damage } from './kernel-damage.ts';
import { outcomeOf } from './kernel-digests.ts';

const SEED = fuzzSeed(20260727);
const BLOCKS = fuzzSamples(16);
const MUTATIONS = 60;

describeWithData(`fuzz: kernel and reader over damaged blocks, seed ${SEED}`, (data) => {
  const blocks = sharedBlocks(data).filter((block) => Number(block.facts.boc_bytes) < 60_000);
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await Kernel.load();
  });

  it.each(['none', 'tx', 'root'] as const)(
    'verify %s: both refuse, or both give the same bytes',
    (verify: VerifyLevel) => {
      const random = new SeededRandom(SEED);
      const options = { verify, oldStatesBelowLt: 1n << 63n };
      const byKernel: typeof decodeBlock = (...all) => kernel.decodeBlock(...all);
      const seen = { refused: 0, decoded: 0, otherCode: 0 };
      for (let picked = 0; picked < BLOCKS; picked++) {
        const block: SharedBlock = random.pick(blocks);
        const bytes = readBytes(block.path);
        const announced = ownMeta(readBlockHeader(bytes));
        for (let i = 0; i < MUTATIONS; i++) {
          const damaged = damage(bytes, random);
          const meta = { ...announced, fileHash: fileHashOf(damaged) };
          const expected = outcomeOf(decodeBlock, damaged, meta, options);
          const found = outcomeOf(byKernel, damaged, meta, options);
          const name = `${block.name}, mutation ${i}`;
          if ('refused' in expected) {
            expect(found, name).toHaveProperty('refused');
            seen.refused++;
            if ('refused' in found && found.refused !== expected.refused) seen.otherCode++;
          } else {
            expect(found, name).toEqual(expected);
            seen.decoded++;
          }
        }
      }
      expect(seen.refused).toBeGreaterThan(100);
      // The kernel finds all before it hashes, so of several faults it may name another one first.
      expect(seen.otherCode).toBeLessThan(seen.refused * 0.1);
      if (verify !== 'root') expect(seen.decoded).toBeGreaterThan(100);
    },
  );
});
