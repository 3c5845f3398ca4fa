import type { LookUps } from '../look-up-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';

/** What look-ups of an answer belong to: a server, and its version of `base`. */
export interface LookUpScope {
  readonly context: ServeContext;
  readonly databases: { readonly base: string };
}

/** The look-up index of the version of `base` that an answer reads; null if this server has none. */
export function getLookUps({ context, databases }: LookUpScope): LookUps | null {
  return context.lookUps?.open(databases.base) ?? null;
}

/** Bounds of the keys with a common beginning, from `from` on. Default: all of them. */
export function keysWith(prefix: Buffer, from: Buffer = prefix): { from: Buffer; below: Buffer } {
  const below = Buffer.from(prefix);
  let at = below.length - 1;
  while (at >= 0 && below[at] === 0xff) below[at--] = 0;
  if (at < 0) return { from, below: Buffer.alloc(prefix.length + 1, 0xff) };
  below[at] = (below[at] as number) + 1;
  return { from, below };
}

/**
 * True if a row of a step of the range, or of any step below it, would be in the index. Rows below the visible range
 * are of given states, or of steps that are not confirmed yet.
 */
export function knowsAllUpTo(lookUps: LookUps, { first, last }: VisibleRange): boolean {
  return lookUps.isLowest(first) && lookUps.covers({ first, last });
}
