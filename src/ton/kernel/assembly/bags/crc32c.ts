import { fold, FOLDED } from './crc-fold';

/** Castagnoli's polynomial, bits reversed. */
const POLYNOMIAL: u32 = 0x82f63b78;
/** Eight tables of 256: table k gives what a byte contributes when k more bytes follow it. */
const TABLES: usize = memory.data(8 * 1024, 16);

function makeTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    store<u32>(TABLES + (byte << 2), value);
  }
  for (let at: usize = 1024; at < 8192; at += 4) {
    const shorter = load<u32>(TABLES + at - 1024);
    store<u32>(TABLES + at, load<u32>(TABLES + ((shorter & 0xff) << 2)) ^ (shorter >>> 8));
  }
}

makeTables();

/** Contribution of `byte` (its low 8 bits) with `more` bytes after it. */
@inline
function table(more: usize, byte: u32): u32 {
  return load<u32>(TABLES + more * 1024 + ((byte & 0xff) << 2));
}

/** The sum after eight more bytes. */
@inline
function step(crc: u32, at: usize): u32 {
  const low = load<u32>(at) ^ crc;
  const high = load<u32>(at, 4);
  return (
    table(7, low) ^ table(6, low >>> 8) ^ table(5, low >>> 16) ^ table(4, low >>> 24) ^
    table(3, high) ^ table(2, high >>> 8) ^ table(1, high >>> 16) ^ table(0, high >>> 24)
  );
}

/** Least size at which folding saves more than it costs. */
const MIN_FOLDED: usize = 2 * FOLDED;

function sum(start: u32, from: usize, size: usize): u32 {
  const end = from + size;
  let crc = start;
  let at = from;
  for (; at + 8 <= end; at += 8) crc = step(crc, at);
  for (; at < end; at++) crc = table(0, crc ^ load<u8>(at)) ^ (crc >>> 8);
  return crc;
}

/** CRC-32C of `size` bytes, as a bag of cells stores it. */
export function crc32c(from: usize, size: usize): u32 {
  if (size < MIN_FOLDED) return ~sum(0xffffffff, from, size);
  const whole = size & ~15;
  return ~sum(sum(0, fold(from, whole), FOLDED), from + whole, size - whole);
}
