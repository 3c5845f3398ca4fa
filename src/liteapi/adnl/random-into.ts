import { randomFillSync } from 'node:crypto';

/** Random bytes that are ready: one call for many packets, since a call costs as much as encrypting a packet. */
const READY = Buffer.allocUnsafe(8_192);
let used = READY.length;

/** Fills `length` bytes (up to 8 KiB) of `target` at `at` with secure random bytes, none of which was given out before. */
export function randomInto(target: Uint8Array, at: number, length: number): void {
  if (used + length > READY.length) {
    randomFillSync(READY);
    used = 0;
  }
  target.set(READY.subarray(used, used + length), at);
  used += length;
}
