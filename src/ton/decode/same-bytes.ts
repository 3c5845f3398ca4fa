import { toHex } from '../hash/hex.ts';
import { type BlockErrorCode, Contradiction } from './block-error.ts';

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Throws a Contradiction with both hashes if they differ. */
export function expectHash(
  code: BlockErrorCode,
  what: string,
  expected: Uint8Array,
  found: Uint8Array,
): void {
  if (sameBytes(expected, found)) return;
  throw new Contradiction(code, `${what}: expected ${toHex(expected)}, found ${toHex(found)}`);
}
