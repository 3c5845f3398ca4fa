/** Types by column, by table, of the read version, both in order. Null means this release's own. */
export type ServedTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Computes a value from a version's tables, once for each. */
export function byTables<T extends object | string>(
  compute: (tables: ServedTables | null) => T,
): (tables: ServedTables | null) => T {
  const known = new WeakMap<ServedTables, T>();
  let own: T | undefined;
  return (tables) => {
    if (!tables) {
      own ??= compute(null);
      return own;
    }
    const found = known.get(tables) ?? compute(tables);
    known.set(tables, found);
    return found;
  };
}
