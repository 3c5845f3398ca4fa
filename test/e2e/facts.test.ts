import { expect, it } from 'vitest';
import { describeWithData } from '../helpers/shared-data.ts';
import { decodeRows, type Facts, readBytes, sharedBlocks } from './facts-blocks.ts';
import { factsOfRows } from './facts-of-rows.ts';

/** Facts about the collection, not about the block. */
const ABOUT_THE_FILE = ['file_hash', 'file_hash_from', 'boc_is_canonical'];

describeWithData('facts: every field that another decoder found in the shared blocks', (data) => {
  const blocks = sharedBlocks(data);
  const sets = [...new Set(blocks.map((block) => block.name.split('/')[0] as string))];

  it('knows all the blocks', () => {
    expect(blocks).toHaveLength(723);
  });

  it.each(sets)('%s', (set) => {
    for (const block of blocks.filter(({ name }) => name.startsWith(`${set}/`))) {
      const expected: Facts = { ...block.facts };
      for (const key of ABOUT_THE_FILE) delete expected[key];
      expect(factsOfRows(decodeRows(readBytes(block.path))), block.name).toStrictEqual(expected);
      if (block.facts.file_hash !== null && block.facts.boc_is_canonical === true) {
        expect(block.facts.file_hash, block.name).toBe(block.facts.boc_sha256);
      }
    }
  });
});
