import { expect, it } from 'vitest';
import { parseBoc } from '../../../../src/ton/boc/boc.ts';
import { BocError } from '../../../../src/ton/boc/boc-error.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { checkExotics } from '../../../../src/ton/boc/check-exotics.ts';
import { serializeCell } from '../../../../src/ton/boc/serialize.ts';
import { fuzzSamples, fuzzSeed } from '../../../helpers/fuzz-size.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { blockFiles } from './block-files.ts';
import { seeded } from './made-cells.ts';
import { withCrc } from './make-bag.ts';

const SEED = fuzzSeed(20260717);
const BLOCKS = fuzzSamples(12);
const MUTATIONS = 250;
const CRC_FLAG = 64;

type Random = (below: number) => number;

/** Place of a mutation: the header and index are small, and get as many as the rest. */
function place(bytes: Uint8Array, random: Random): number {
  return random(3) === 0 ? random(Math.min(64, bytes.length)) : random(bytes.length);
}

function mutate(original: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(original);
  for (let n = 1 + random(3); n > 0; n--) {
    const at = place(bytes, random);
    const kind = random(4);
    if (kind === 0) bytes[at]! ^= 1 << random(8);
    else if (kind === 1) bytes[at] = random(256);
    else if (kind === 2) bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random(5)]!;
    else bytes.copyWithin(at, place(bytes, random), bytes.length);
  }
  const cut = random(20) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
  // Usually with the right checksum, or no later check would be reached.
  return cut.length > 16 && cut[4]! & CRC_FLAG && random(8) !== 0 ? withCrc(cut) : cut;
}

/** Outcome of reading the bytes. Anything but success and BocError is a failure of the test. */
function outcome(bytes: Uint8Array): string {
  try {
    const boc = parseBoc(bytes);
    const hashes = new CellHashes(boc);
    hashes.computeAll();
    for (const root of boc.roots) parseBoc(serializeCell(boc, root));
    checkExotics(hashes);
    return 'ok';
  } catch (error) {
    if (error instanceof BocError) return error.code;
    throw error;
  }
}

describeWithData('damaged blocks', (data) => {
  it('are read or refused with BocError, and nothing else', { timeout: 300_000 }, () => {
    const random = seeded(SEED);
    const blocks = [...blockFiles(data)].filter(({ bytes }) => bytes.length < 16_000);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < BLOCKS; i++) {
      const { name, bytes } = blocks[random(blocks.length)]!;
      for (let n = 0; n < MUTATIONS; n++) {
        const damaged = mutate(bytes, random);
        try {
          const what = outcome(damaged);
          outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
        } catch (error) {
          throw new Error(
            `${name}, mutation ${n} of seed ${SEED}: ${Buffer.from(damaged).toString('base64')}`,
            {
              cause: error,
            },
          );
        }
      }
    }
    // The mutations must reach every check, or this proves little.
    for (const reached of [
      'ok',
      'magic',
      'flags',
      'size',
      'truncated',
      'crc',
      'reference',
      'exotic',
      'level',
    ]) {
      expect(outcomes.get(reached) ?? 0, reached).toBeGreaterThan(0);
    }
  });
});
