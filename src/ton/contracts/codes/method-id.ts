import { crc16 } from '../../hash/crc16.ts';

/** Returns the number of a get method by its name: CRC-16/XMODEM, with bit 16 set. */
export function methodId(name: string): number {
  return crc16(new TextEncoder().encode(name)) | 0x10000;
}
