import { crc32c } from '../../src/ton/hash/crc32c.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';

/** Up to three flipped bits, a changed byte, or a cut; a bag with a checksum gets the right one again. */
export function damage(bytes: Uint8Array, random: SeededRandom): Uint8Array {
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
