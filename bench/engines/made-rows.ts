import type { IndexedRow } from '../../src/lookup/store-port.ts';

/** Rows that the index gets in one transaction. */
export const BATCH_ROWS = 5_000;
/** Rows with the same masterchain step. */
export const ROWS_PER_STEP = 500;
const KEY_BYTES = 12;
const VALUE_BYTES = 44;
const WORD_BYTES = 4;
/** The golden ratio in 32 bits: numbers that differ by it have unrelated hashes. */
const STRIDE = 0x9e3779b1;
/** Numbers of rows are lower, so keys from here on are absent. */
const FIRST_ABSENT = 2 ** 31;

/** Makes rows in the order of their numbers. Keys are random and unique, values cannot be compressed. */
export function makeRows(first: number, count: number): readonly IndexedRow[] {
  const bytes = Buffer.allocUnsafeSlow(count * (KEY_BYTES + VALUE_BYTES));
  return Array.from({ length: count }, (_, i) => {
    const at = i * (KEY_BYTES + VALUE_BYTES);
    const key = bytes.subarray(at, at + KEY_BYTES);
    const value = bytes.subarray(at + KEY_BYTES, at + KEY_BYTES + VALUE_BYTES);
    fillWords(key, first + i, 0);
    fillWords(value, first + i, KEY_BYTES);
    value.writeUInt32BE(first + i);
    return { key, step: Math.floor((first + i) / ROWS_PER_STEP), value };
  });
}

/** The key of row `number`. */
export function makeKey(number: number): Uint8Array {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  fillWords(key, number, 0);
  return key;
}

/** A random key that no row has. */
export function makeAbsentKey(): Uint8Array {
  return makeKey(FIRST_ABSENT + Math.floor(Math.random() * FIRST_ABSENT));
}

/** The number of the row that a value is from. */
export function readNumber(value: Uint8Array): number {
  return new DataView(value.buffer, value.byteOffset).getUint32(0);
}

function fillWords(bytes: Buffer, number: number, salt: number): void {
  for (let at = 0; at < bytes.length; at += WORD_BYTES)
    bytes.writeUInt32BE(hash(number + Math.imul(salt + at, STRIDE)), at);
}

/** A one-to-one hash of 32 bits (the last steps of MurmurHash3): the first words of two keys never agree. */
function hash(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
