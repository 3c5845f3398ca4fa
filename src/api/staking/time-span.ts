/** Times that are wanted, both bounds inclusive; undefined: no bound. */
export interface TimeSpan {
  readonly startUtime: number | undefined;
  readonly endUtime: number | undefined;
}

/** The part of a span that can hold what follows a row in a list by time; the row's own second is in it. */
export function spanBehind(
  span: TimeSpan,
  after: { readonly utime: number } | null,
  descending: boolean,
): TimeSpan {
  if (!after) return span;
  const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = span;
  return descending
    ? { ...span, endUtime: Math.min(endUtime, after.utime) }
    : { ...span, startUtime: Math.max(startUtime, after.utime) };
}
