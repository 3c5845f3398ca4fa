import type { LookUps } from '../look-up-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';

/** The look-up index of a version that an answer reads; null if this server has no such look-up. */
export function getLookUps(
  { context }: { readonly context: Pick<ServeContext, 'lookUps'> },
  database: string,
  lookUp: string,
): LookUps | null {
  const lookUps = context.lookUps?.open(database);
  return lookUps?.has(lookUp) ? lookUps : null;
}

/** Bytes of a key or a value, not copied. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Keys from `from` (inclusive) to `below` (exclusive). */
export interface Keys {
  readonly from: Uint8Array;
  readonly below: Uint8Array;
}

/** Bounds of the keys with a common beginning, from `from` on. Default: all of them. */
export function keysWith(
  prefix: Buffer,
  from: Buffer = prefix,
): { readonly from: Buffer; readonly below: Buffer } {
  const below = Buffer.from(prefix);
  let at = below.length - 1;
  while (at >= 0 && below[at] === 0xff) below[at--] = 0;
  if (at < 0) return { from, below: Buffer.alloc(prefix.length + 1, 0xff) };
  below[at] = (below[at] as number) + 1;
  return { from, below };
}

/** The keys of some bounds that follow one of them. */
export function keysAfter(bounds: Keys, key: Uint8Array, descending: boolean): Keys {
  return descending
    ? { from: bounds.from, below: key }
    : { from: Buffer.concat([key, Buffer.of(0)]), below: bounds.below };
}

/**
 * True if a row of a step of the range, or of any step below it, would be in the index. Rows below the visible range
 * are of given states, or of steps that are not confirmed yet.
 */
export function knowsAllUpTo(lookUps: LookUps, { first, last }: VisibleRange): boolean {
  return lookUps.isLowest(first) && lookUps.covers({ first, last });
}

/** True if no row at or below a visible range has a key with this beginning, and the index knows it. */
export function isAbsent(lookUps: LookUps, lookUp: string, prefix: Buffer, visible: VisibleRange): boolean {
  const isFound = lookUps.range(lookUp, keysWith(prefix), 1).length > 0;
  // Asked afterwards: a step that left the index meanwhile makes nothing absent.
  return !isFound && knowsAllUpTo(lookUps, visible);
}
