/** Positions (masterchain seqnos), both inclusive. */
export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** The ranges in ascending order, those that touch or overlap joined. */
export function joinRanges(ranges: readonly PositionRange[]): PositionRange[] {
  const joined: { first: number; last: number }[] = [];
  for (const { first, last } of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = joined.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else joined.push({ first, last });
  }
  return joined;
}

/** `ranges` without `taken`. */
export function subtractRanges(
  ranges: readonly PositionRange[],
  taken: readonly PositionRange[],
): PositionRange[] {
  let left = joinRanges(ranges);
  for (const cut of joinRanges(taken)) {
    left = left.flatMap(({ first, last }) =>
      [
        { first, last: Math.min(last, cut.first - 1) },
        { first: Math.max(first, cut.last + 1), last },
      ].filter((part) => part.first <= part.last),
    );
  }
  return left;
}

/** Intersection of two lists of ranges. */
export function intersectRanges(a: readonly PositionRange[], b: readonly PositionRange[]): PositionRange[] {
  return joinRanges(
    a.flatMap((one) =>
      b
        .map((two) => ({ first: Math.max(one.first, two.first), last: Math.min(one.last, two.last) }))
        .filter(({ first, last }) => first <= last),
    ),
  );
}

/** The ranges cut at the borders of epochs, by epoch. */
export function splitByEpoch(
  ranges: readonly PositionRange[],
  epochSize: number,
): Map<number, PositionRange[]> {
  const epochs = new Map<number, PositionRange[]>();
  for (const range of joinRanges(ranges)) {
    for (let first = range.first; first <= range.last; ) {
      const epoch = Math.floor(first / epochSize);
      const last = Math.min(range.last, (epoch + 1) * epochSize - 1);
      epochs.set(epoch, [...(epochs.get(epoch) ?? []), { first, last }]);
      first = last + 1;
    }
  }
  return epochs;
}

/** The ranges as a condition on a column; numbers only, so nothing in it needs quoting. */
export function rangeCondition(column: string, ranges: readonly PositionRange[]): string {
  if (ranges.length === 0) return '0';
  return `(${ranges.map(({ first, last }) => `${column} BETWEEN ${first} AND ${last}`).join(' OR ')})`;
}

/** Joins ranges of one epoch with at most `gap` positions between them. */
export function joinNear(ranges: readonly PositionRange[], gap: number, epochSize: number): PositionRange[] {
  return [...splitByEpoch(ranges, epochSize).values()].flatMap((parts) => {
    const near: PositionRange[] = [];
    for (const part of parts) {
      const before = near.at(-1);
      if (before && part.first - before.last - 1 <= gap)
        near.splice(-1, 1, { first: before.first, last: part.last });
      else near.push(part);
    }
    return near;
  });
}
