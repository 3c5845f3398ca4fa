/** Letters that a name may differ by. */
const MAX_DISTANCE = 2;
/** Longer names are cut: the time is proportional to the length. */
const MAX_LENGTH = 60;

/** The known name that differs from a name by the fewest letters, at most two; null if there is none. */
export function similarName(name: string, known: readonly string[]): string | null {
  const near = known
    .map((one) => ({ one, distance: distance(name.slice(0, MAX_LENGTH), one) }))
    .filter((found) => found.distance <= Math.min(MAX_DISTANCE, found.one.length - 2))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.one ?? null;
}

/** Levenshtein's distance: letters to add, to leave out or to change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
