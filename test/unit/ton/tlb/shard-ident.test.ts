import { describe, expect, it } from 'vitest';
import { childShards, loadShardIdent, parentShard } from '../../../../src/ton/tlb/shard-ident.ts';
import { made } from './cells.ts';

const ident = (prefixBits: number, prefix: bigint, tag = 0) =>
  made((builder) =>
    builder.storeUint(tag, 2).storeUint(prefixBits, 6).storeInt(-1, 32).storeUint(prefix, 64),
  );

describe('ShardIdent', () => {
  it.each([
    ['the whole workchain', 0, 0n, 0x8000000000000000n],
    ['a quarter', 2, 0x4000000000000000n, 0x6000000000000000n],
    ['the longest prefix', 60, 0x0123456789abcdf0n, 0x0123456789abcdf8n],
    ['a marker that is written, as in a zerostate', 0, 0x8000000000000000n, 0x8000000000000000n],
  ])('%s', (_what, prefixBits, prefix, shard) => {
    const slice = ident(prefixBits, prefix);
    expect(loadShardIdent(slice)).toEqual({ workchain: -1, shard, prefixBits });
    slice.end('ShardIdent');
  });

  it.each([
    ['a prefix that is too long', ident(61, 0n), 'value'],
    ['bits below the prefix', ident(2, 0x5000000000000000n), 'value'],
    ['another tag', ident(0, 0n, 1), 'tag'],
  ])('refuses %s', (_what, slice, code) => {
    expect(() => loadShardIdent(slice)).toThrow(expect.objectContaining({ name: 'CellError', code }));
  });

  it('parents and children', () => {
    expect(childShards(0x8000000000000000n)).toEqual([0x4000000000000000n, 0xc000000000000000n]);
    expect(childShards(0x6000000000000000n)).toEqual([0x5000000000000000n, 0x7000000000000000n]);
    for (const shard of [0x4000000000000000n, 0x7000000000000000n, 0x0d83800000000000n]) {
      for (const child of childShards(shard)) expect(parentShard(child)).toBe(shard);
    }
  });
});
