import { beforeAll, expect, it } from 'vitest';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import { decodeBlock, type VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import { crc32c } from '../../src/ton/hash/crc32c.ts';
import { Kernel } from '../../src/ton/kernel/kernel.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { fileHashOf, ownMeta, readBytes, type SharedBlock, sharedBlocks } from './facts-blocks.ts';
import { outcomeOf } from './kernel-digests.ts';

const SEED = Number(process.env.KERNEL_FUZZ_SEED ?? 20260727);
const BLOCKS = Number(process.env.KERNEL_FUZZ_BLOCKS ?? 40);
const MUTATIONS = 60;

/** Up to three flipped bits, a changed byte, or a cut; a bag with a checksum gets the right one again. */
function mutate(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  if (random.oneIn(20)) return bytes.slice(0, random.below(bytes.length));
  const damaged = bytes.slice();
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = 5 + random.below(bytes.length - 9);
    const byte = damaged[at] as number;
    damaged[at] = random.oneIn(4) ? random.below(256) : byte ^ (1 << random.below(8));
  }
  const hasChecksum = ((bytes[4] as number) & 0x40) !== 0;
  if (hasChecksum) {
    const end = damaged.length - 4;
    new DataView(damaged.buffer).setUint32(end, crc32c(damaged, end), true);
  }
  return damaged;
}

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
          const damaged = mutate(bytes, random);
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
