/**
 * Fields of a recorded answer that are missing or of another JSON type in ours, by path. List items are compared
 * with the first item of ours; fields that only ours has are no difference: the older server sent fewer.
 */
export function shapeDifferences(recorded: unknown, ours: unknown, path = 'result'): string[] {
  const [expected, found] = [jsonType(recorded), jsonType(ours)];
  if (expected !== found) return [`${path}: ${expected} recorded, ${found} here`];
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    if (recorded.length === 0 || ours.length === 0) return [];
    return recorded.flatMap((item) => shapeDifferences(item, ours[0], `${path}[]`));
  }
  if (expected !== 'object') return [];
  const made = ours as Record<string, unknown>;
  return Object.entries(recorded as object).flatMap(([key, value]) =>
    shapeDifferences(value, made[key], `${path}.${key}`),
  );
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
}
