/**
 * CRC-16/XMODEM (polynomial 0x1021, start 0, no reflection) of the first `end` bytes: the check of a friendly address,
 * which stores it big-endian after its 34 bytes.
 */
export function crc16(bytes: Uint8Array, end: number = bytes.length): number {
  let crc = 0;
  for (let i = 0; i < end; i++) {
    crc ^= bytes[i]! << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
