import type { CopyMasks, Mask } from './masks.ts';

/** Shifts of single values in place. Bytes are little-endian as in Native columns. */

/** XORs 32 bytes; zeros stay. */
export function xorHash(bytes: Uint8Array, at: number, mask: Mask): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 32);
  let any = 0;
  for (let i = 0; i < 32; i += 4) any |= view.getUint32(i, true);
  if (any === 0) return;
  for (let i = 0; i < 8; i++)
    view.setUint32(i * 4, (view.getUint32(i * 4, true) ^ (mask[i] as number)) >>> 0, true);
}

/** XORs the id of an account by its kind. */
export function xorAccount(bytes: Uint8Array, at: number, masks: CopyMasks): void {
  const mask = masks.accounts[(bytes[at + 31] as number) & 15];
  if (mask) xorHash(bytes, at, mask);
}

/** Adds to an unsigned 64-bit number, modulo 2^64; 0 stays. */
export function addU64(bytes: Uint8Array, at: number, low: number, high: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  const oldLow = view.getUint32(0, true);
  const oldHigh = view.getUint32(4, true);
  if (oldLow === 0 && oldHigh === 0) return;
  const sum = oldLow + low;
  view.setUint32(0, sum >>> 0, true);
  view.setUint32(4, (oldHigh + high + (sum > 0xffffffff ? 1 : 0)) >>> 0, true);
}

/** Adds to an unsigned 32-bit number, modulo 2^32; 0 stays. */
export function addU32(bytes: Uint8Array, at: number, add: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 4);
  const old = view.getUint32(0, true);
  if (old !== 0) view.setUint32(0, (old + add) >>> 0, true);
}
