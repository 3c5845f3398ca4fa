import { expect, it } from 'vitest';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { unpackStates } from '../../../../src/ton/columns/state-pack.ts';
import type { BlockMeta } from '../../../../src/ton/decode/block-meta.ts';
import { decodeBlock } from '../../../../src/ton/decode/decode-block.ts';
import { Kernel } from '../../../../src/ton/kernel/kernel.ts';
import { readRows } from '../../../e2e/facts-blocks.ts';
import { damage } from '../../../e2e/kernel-damage.ts';
import { outcomeOf } from '../../../e2e/kernel-digests.ts';
import { fuzzSamples, fuzzSeed } from '../../../helpers/fuzz-size.ts';
import { SeededRandom } from '../../../helpers/seeded-random.ts';
import { BlockMaker } from './made-blocks.ts';

const SEED = fuzzSeed(20260727);
const BLOCKS = fuzzSamples(60);

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
  const seen = new Set<string>();
  for (let i = 0; i < BLOCKS; i++) {
    const { bytes, meta } = maker.makeBlock();
    if (compare(`block ${i}`, bytes, meta)) decoded.made++;
    for (const kind of kindsOfStates(bytes, meta)) seen.add(kind);
    for (let k = 0; k < DAMAGED; k++) {
      if (compare(`block ${i}, damage ${k}`, damage(bytes, random), meta)) decoded.damaged++;
    }
  }
  expect(decoded.made).toBe(BLOCKS);
  expect(decoded.damaged).toBeGreaterThan(BLOCKS * DAMAGED * 0.2);
  for (const side of ['before', 'after']) {
    for (const kind of ['absent', 'uninit', 'frozen', 'active', 'extra', 'no code', 'no data']) {
      expect(seen).toContain(`${side} ${kind}`);
    }
  }
  // The old side shows the account, but the block does not contain all of its state.
  expect(seen).toContain('before in part');
});

function* kindsOfStates(bytes: Uint8Array, meta: BlockMeta): Generator<string> {
  const columns = new BaseColumns();
  decodeBlock(bytes, meta, columns, { verify: 'none', oldStatesBelowLt: 1n << 63n });
  const rows = readRows(columns);
  const shown = rows.account_states.some((row) => row.origin === 'before' && row.status !== 'nonexist');
  const packs = rows.transactions.map((row) => unpackStates(row.states));
  if (shown && !packs[0]?.before) yield 'before in part';
  for (const pack of packs) {
    for (const side of ['before', 'after'] as const) {
      const state = pack[side];
      yield `${side} ${state?.status ?? 'absent'}`;
      if (state && state.extra.length > 0) yield `${side} extra`;
      if (state?.status === 'active' && !state.codeHash) yield `${side} no code`;
      if (state?.status === 'active' && !state.dataHash) yield `${side} no data`;
    }
  }
}
