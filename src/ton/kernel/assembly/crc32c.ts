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

/** What `byte` (its low 8 bits) contributes with `more` bytes after it. */
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

/** The product of two polynomials modulo Castagnoli's; bit 31 is the coefficient of x^0. */
function multiply(a: u32, b: u32): u32 {
  let product: u32 = 0;
  let power = b;
  for (let rest = a; rest != 0; rest <<= 1) {
    if (rest & 0x80000000) product ^= power;
    power = power & 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
  }
  return product;
}

/** x^(8·size): what a sum is multiplied with when `size` bytes follow it. */
function shiftOver(size: usize): u32 {
  let result: u32 = 0x80000000;
  let square: u32 = 0x00800000;
  for (let rest = size; rest != 0; rest >>= 1) {
    if (rest & 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

/** From here on three sums side by side save more than putting them together costs. */
const MIN_SPLIT: usize = 6144;

/** CRC-32C of `size` bytes, as a bag of cells stores it. */
export function crc32c(from: usize, size: usize): u32 {
  let crc: u32 = 0xffffffff;
  let at = from;
  const end = from + size;
  if (size >= MIN_SPLIT) {
    // One sum waits for itself at every step; three at a time do not wait for each other.
    const third = (size / 24) << 3;
    let second: u32 = 0;
    let last: u32 = 0;
    for (const stop = from + third; at < stop; at += 8) {
      crc = step(crc, at);
      second = step(second, at + third);
      last = step(last, at + 2 * third);
    }
    const shift = shiftOver(third);
    crc = multiply(multiply(crc, shift) ^ second, shift) ^ last;
    at = from + 3 * third;
  }
  for (; at + 8 <= end; at += 8) crc = step(crc, at);
  for (; at < end; at++) crc = table(0, crc ^ load<u8>(at)) ^ (crc >>> 8);
  return ~crc;
}
