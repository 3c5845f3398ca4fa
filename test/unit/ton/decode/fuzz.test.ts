import { expect, it } from 'vitest';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { type BlockHeader, readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { BlockError, decodeBlock, type VerifyLevel } from '../../../../src/ton/decode/decode-block.ts';
import { crc32c } from '../../../../src/ton/hash/crc32c.ts';
import { fileHashOf, ownMeta, readBytes, type SharedBlock, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { fuzzSamples, fuzzSeed } from '../../../helpers/fuzz-size.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

const SEED = fuzzSeed(20260727);
const BLOCKS = fuzzSamples(12);
const MUTATIONS = 60;

/** mulberry32: small, seeded, good enough to pick bits. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A flipped bit, or a cut; a bag with a checksum gets the right one again, so that the damage reaches the reader. */
function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  if (random(10) === 0) return bytes.slice(0, random(bytes.length));
  const damaged = bytes.slice();
  const at = 5 + random(bytes.length - 9);
  damaged[at] = (damaged[at] as number) ^ (1 << random(8));
  const hasChecksum = ((bytes[4] as number) & 0x40) !== 0;
  if (hasChecksum) {
    const end = damaged.length - 4;
    new DataView(damaged.buffer).setUint32(end, crc32c(damaged.subarray(0, end)), true);
  }
  return damaged;
}

/** All bytes of all columns, as one hash. */
function digest(columns: BaseColumns): string {
  const parts = Object.values(columns.tables).flatMap((table) =>
    table.columns.flatMap((column) => column.parts()),
  );
  return fileHashOf(Buffer.concat(parts)).toHex();
}

function pick(blocks: SharedBlock[], random: (below: number) => number): SharedBlock[] {
  const withTransactions = blocks.filter((block) => Number(block.facts.tx_count) > 0);
  return Array.from(
    { length: BLOCKS },
    () => withTransactions[random(withTransactions.length)] as SharedBlock,
  );
}

/** Decodes damaged bytes under the ids of the original block; true if they were refused. */
function isRefused(
  bytes: Uint8Array,
  header: BlockHeader,
  columns: BaseColumns,
  verify: VerifyLevel,
): boolean {
  const meta = { ...ownMeta(header), fileHash: fileHashOf(bytes) };
  const before = [columns.rows(), digest(columns)];
  try {
    decodeBlock(bytes, meta, columns, { verify, oldStatesBelowLt: 1n << 63n });
  } catch (error) {
    expect(error).toBeInstanceOf(BlockError);
    expect((error as BlockError).code).not.toBe('unexpected');
    expect([columns.rows(), digest(columns)]).toEqual(before);
    return true;
  }
  return false;
}

function rootHashOf(bytes: Uint8Array): string | null {
  try {
    return readBlockHeader(bytes).rootHash.toHex();
  } catch (error) {
    expect(error).toBeInstanceOf(BlockError);
    return null;
  }
}

describeWithData(`fuzz: damaged blocks, seed ${SEED}`, (data) => {
  const blocks = sharedBlocks(data).filter((block) => Number(block.facts.boc_bytes) < 60_000);

  it.each(['none', 'tx'] as const)(
    'verify %s: refused with a BlockError and columns as before, or decoded',
    (verify) => {
      const random = randomFrom(SEED);
      let refused = 0;
      let decoded = 0;
      for (const block of pick(blocks, random)) {
        const bytes = readBytes(block.path);
        const header = readBlockHeader(bytes);
        const columns = new BaseColumns();
        expect(isRefused(bytes, header, columns, verify), block.name).toBe(false);
        const mark = columns.mark();
        for (let i = 0; i < MUTATIONS; i++) {
          if (isRefused(mutate(bytes, random), header, columns, verify)) refused++;
          else decoded++;
          columns.truncate(mark);
        }
      }
      expect(refused).toBeGreaterThan(100);
      expect(decoded).toBeGreaterThan(100);
    },
  );

  it('verify root: whatever changes the root hash is refused', () => {
    const random = randomFrom(SEED + 1);
    let same = 0;
    for (const block of pick(blocks, random)) {
      const bytes = readBytes(block.path);
      const header = readBlockHeader(bytes);
      const columns = new BaseColumns();
      for (let i = 0; i < MUTATIONS; i++) {
        const damaged = mutate(bytes, random);
        if (isRefused(damaged, header, columns, 'root')) continue;
        expect(rootHashOf(damaged), block.name).toBe(header.rootHash.toHex());
        same++;
        columns.reset();
      }
    }
    // Hashes stored in cells, which no reader may trust, and bits outside the root's tree.
    expect(same).toBeLessThan(BLOCKS * MUTATIONS * 0.2);
  });

  it('verify file: any damage is refused by the hash of the file', () => {
    const random = randomFrom(SEED + 2);
    for (const block of pick(blocks, random)) {
      const bytes = readBytes(block.path);
      const columns = new BaseColumns();
      const decode = () =>
        decodeBlock(mutate(bytes, random), ownMeta(readBlockHeader(bytes)), columns, {
          verify: 'file',
          oldStatesBelowLt: 0n,
        });
      expect(decode).toThrow(expect.objectContaining({ name: 'BlockError', code: 'file_hash' }));
      expect(columns.rows().raw_blocks).toBe(0);
    }
  });
});
