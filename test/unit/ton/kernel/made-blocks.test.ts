import { expect, it } from 'vitest';
import type { BlockMeta } from '../../../../src/ton/decode/block-meta.ts';
import { decodeBlock } from '../../../../src/ton/decode/decode-block.ts';
import { Kernel } from '../../../../src/ton/kernel/kernel.ts';
import { damage } from '../../../e2e/kernel-damage.ts';
import { outcomeOf } from '../../../e2e/kernel-digests.ts';
import { SeededRandom } from '../../../helpers/seeded-random.ts';
import { BlockMaker } from './made-blocks.ts';

const SEED = Number(process.env.KERNEL_MADE_SEED ?? 20260727);
const BLOCKS = Number(process.env.KERNEL_MADE_BLOCKS ?? 150);

const DAMAGED = 10;

it(`kernel and reader agree on ${BLOCKS} made blocks with every kind of transaction and message, seed ${SEED}`, async () => {
  const kernel = await Kernel.load();
  const random = new SeededRandom(SEED);
  const maker = new BlockMaker(random);
  const options = { verify: 'none', oldStatesBelowLt: 0n } as const;
  const compare = (name: string, bytes: Uint8Array, meta: BlockMeta): boolean => {
    const expected = outcomeOf(decodeBlock, bytes, meta, options);
    const found = outcomeOf((...all) => kernel.decodeBlock(...all), bytes, meta, options);
    if ('counts' in expected) expect(found, name).toEqual(expected);
    else expect(found, name).toHaveProperty('refused');
    return 'counts' in expected;
  };
  const decoded = { made: 0, damaged: 0 };
  for (let i = 0; i < BLOCKS; i++) {
    const { bytes, meta } = maker.makeBlock();
    if (compare(`block ${i}`, bytes, meta)) decoded.made++;
    for (let k = 0; k < DAMAGED; k++) {
      if (compare(`block ${i}, damage ${k}`, damage(bytes, random), meta)) decoded.damaged++;
    }
  }
  expect(decoded.made).toBe(BLOCKS);
  expect(decoded.damaged).toBeGreaterThan(BLOCKS * DAMAGED * 0.2);
});
