import type { CopyMasks, Mask } from './masks.ts';

/** Shifts of single values in place. Bytes are little-endian as in Native columns. */

/** XORs 32 bytes; zeros stay. */
export function xorHash(view: DataView, at: number, mask: Mask): void {
  let any = 0;
  for (let i = 0; i < 32; i += 4) any |= view.getUint32(at + i, true);
  if (any === 0) return;
  for (let i = 0; i < 8; i++)
    view.setUint32(at + i * 4, (view.getUint32(at + i * 4, true) ^ (mask[i] as number)) >>> 0, true);
}

/** XORs the id of an account by its kind. */
export function xorAccount(view: DataView, at: number, masks: CopyMasks): void {
  const mask = masks.accounts[view.getUint8(at + 31) & 15];
  if (mask) xorHash(view, at, mask);
}

/** Adds to an unsigned 64-bit number, modulo 2^64; 0 stays. */
export function addU64(view: DataView, at: number, low: number, high: number): void {
  const oldLow = view.getUint32(at, true);
  const oldHigh = view.getUint32(at + 4, true);
  if (oldLow === 0 && oldHigh === 0) return;
  const sum = oldLow + low;
  view.setUint32(at, sum >>> 0, true);
  view.setUint32(at + 4, (oldHigh + high + (sum > 0xffffffff ? 1 : 0)) >>> 0, true);
}

/** Adds to an unsigned 32-bit number, modulo 2^32; 0 stays. */
export function addU32(view: DataView, at: number, add: number): void {
  const old = view.getUint32(at, true);
  if (old !== 0) view.setUint32(at, (old + add) >>> 0, true);
}
