/** Castagnoli's polynomial 0x1edc6f41, bits reversed. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256: table k gives what a byte contributes when k more bytes follow it. */
const TABLES = makeTables();

function makeTables(): Uint32Array {
  const tables = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    tables[byte] = value >>> 0;
  }
  for (let at = 256; at < tables.length; at++) {
    const shorter = tables[at - 256]!;
    tables[at] = (tables[shorter & 0xff]! ^ (shorter >>> 8)) >>> 0;
  }
  return tables;
}

/**
 * CRC-32C (Castagnoli; start and final xor all ones) as an unsigned 32-bit number. A bag of cells stores it
 * little-endian after its last cell, over every byte before. `end` lets the caller leave out the stored sum without
 * making a view.
 */
export function crc32c(bytes: Uint8Array, end: number = bytes.length): number {
  const t = TABLES;
  let crc = 0xffffffff;
  let i = 0;
  for (; i + 8 <= end; i += 8) {
    crc =
      t[1792 + (bytes[i]! ^ (crc & 0xff))]! ^
      t[1536 + (bytes[i + 1]! ^ ((crc >>> 8) & 0xff))]! ^
      t[1280 + (bytes[i + 2]! ^ ((crc >>> 16) & 0xff))]! ^
      t[1024 + (bytes[i + 3]! ^ (crc >>> 24))]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!;
  }
  for (; i < end; i++) crc = t[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
