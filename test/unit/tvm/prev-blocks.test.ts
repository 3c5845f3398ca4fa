import { Cell, serializeTuple, type TupleItem } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { encodePrevBlocks, type PrevBlock } from '../../../src/tvm/prev-blocks.ts';

const block = (seqno: number, fill = seqno + 1): PrevBlock => ({
  seqno,
  rootHash: new Uint8Array(32).fill(fill),
  fileHash: new Uint8Array(32).fill(0xff - fill),
});

const item = ({ seqno, rootHash, fileHash }: PrevBlock): TupleItem => ({
  type: 'tuple',
  items: [
    -1n,
    -(1n << 63n),
    BigInt(seqno),
    ...[rootHash, fileHash].map((hash) => BigInt(`0x${hash.toHex()}`)),
  ].map((value) => ({ type: 'int', value })),
});

/** The entry as @ton/core writes it: the tuple after the depth and the rest of a stack of one. */
function expected(last: readonly PrevBlock[], key: PrevBlock): string {
  const items: TupleItem[] = [{ type: 'tuple', items: last.map(item) }, item(key)];
  const slice = serializeTuple([{ type: 'tuple', items }]).beginParse();
  slice.skip(24);
  slice.loadRef();
  return slice.asCell().hash().toString('hex');
}

const hashOf = (text: string) => Cell.fromBase64(text).hash().toString('hex');

describe('the previous blocks that contracts see', () => {
  it.each([1, 2, 3, 16])('are the tuple that @ton/core writes: %i blocks', (count) => {
    const last = Array.from({ length: count }, (_, i) => block(100 - i));
    const key = block(7);
    expect(hashOf(encodePrevBlocks({ last, key }))).toBe(expected(last, key));
    // A second time, with what is known of most of them.
    const later = [block(101), ...last.slice(0, 15)];
    expect(hashOf(encodePrevBlocks({ last: later, key }))).toBe(expected(later, key));
  });

  it('have short hashes in the short form, as every number of the stack', () => {
    const low = (bytes: readonly number[]) => {
      const hash = new Uint8Array(32);
      hash.set(bytes, 32 - bytes.length);
      return hash;
    };
    const hashes = [low([]), low([5]), low([0x7f, 1, 2, 3, 4, 5, 6, 7]), low([0x80, 0, 0, 0, 0, 0, 0, 0])];
    const last = hashes.map((rootHash, seqno) => ({
      seqno,
      rootHash,
      fileHash: low([1, 0, 0, 0, 0, 0, 0, 0, 0]),
    }));
    expect(hashOf(encodePrevBlocks({ last, key: last[0]! }))).toBe(expected(last, last[0]!));
  });
});
