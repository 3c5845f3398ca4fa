import { describe, expect, it } from 'vitest';
import type { BlockRow } from '../../../src/api/entities/blocks/model.ts';
import { previousBlocks } from '../../../src/api/entities/blocks/previous.ts';
import {
  ancestorShards,
  childShards,
  parentShard,
  shardHex,
  shardSigned,
} from '../../../src/api/entities/blocks/shard-text.ts';

const WHOLE = 1n << 63n;

describe('shards', () => {
  it('are written as hex without padding, and as signed decimals', () => {
    expect(shardHex(WHOLE)).toBe('8000000000000000');
    expect(shardHex('972777519512027136')).toBe('D80000000000000');
    expect(shardSigned(WHOLE)).toBe('-9223372036854775808');
    expect(shardSigned(0x4000000000000000n)).toBe('4611686018427387904');
  });

  it('split and merge', () => {
    expect(childShards(WHOLE)).toEqual([0x4000000000000000n, 0xc000000000000000n]);
    for (const child of childShards(0x6000000000000000n))
      expect(parentShard(child)).toBe(0x6000000000000000n);
  });

  it('have ancestors up to the whole workchain', () => {
    expect(ancestorShards(0x6000000000000000n)).toEqual([0x4000000000000000n, WHOLE]);
    expect(ancestorShards(WHOLE)).toEqual([]);
  });
});

describe('previous blocks', () => {
  const row = (fields: Partial<BlockRow>): BlockRow =>
    ({
      workchain: 0,
      shard: `${WHOLE}`,
      prev_seqno: 5,
      prev2_seqno: 6,
      prev_root_hash: 'r1',
      prev2_root_hash: 'r2',
      prev_file_hash: 'f1',
      prev2_file_hash: 'f2',
      after_merge: false,
      after_split: false,
      ...fields,
    }) as BlockRow;

  it('are in the same shard', () => {
    expect(previousBlocks(row({}))).toEqual([
      { workchain: 0, shard: WHOLE, seqno: 5, rootHash: 'r1', fileHash: 'f1' },
    ]);
  });

  it('are in the parent after a split', () => {
    const [previous] = previousBlocks(row({ shard: `${0xc000000000000000n}`, after_split: true }));
    expect(previous?.shard).toBe(WHOLE);
  });

  it('are in both children after a merge', () => {
    expect(previousBlocks(row({ after_merge: true })).map(({ shard, seqno }) => [shard, seqno])).toEqual([
      [0x4000000000000000n, 5],
      [0xc000000000000000n, 6],
    ]);
  });
});
