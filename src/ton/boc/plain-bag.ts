/** Flag bit of a bag that ends with a CRC32C. */
const HAS_CRC = 0x40;
const CRC_BYTES = 4;

/** A bag of cells that ends with a CRC32C, as `serializeCell` makes it, without it: the same bytes otherwise. */
export function withoutCrc(bag: Uint8Array): Uint8Array {
  const plain = bag.slice(0, -CRC_BYTES);
  plain[4]! &= ~HAS_CRC;
  return plain;
}
