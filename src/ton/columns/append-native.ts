import type { GrowableBytes } from './growable-bytes.ts';

/** Appends one part of a fixed-width column. @throws RangeError if it does not have `size` bytes */
export function appendFixed(
  data: GrowableBytes,
  name: string,
  parts: readonly Uint8Array[],
  size: number,
): void {
  const part = parts[0];
  if (!part || parts.length > 1 || part.length !== size) {
    const found = parts.map(({ length }) => length).join(' + ');
    throw new RangeError(`${name}: one part of ${size} bytes expected, ${found || 'none'} given`);
  }
  data.append(part);
}
