const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path with `[n]`; undefined if the path leads nowhere. */
export function valueAt(fields: unknown, path: string): unknown {
  let value = fields;
  for (const step of path.split(/\.|(?=\[)/)) {
    const index = /^\[(\d+)\]$/.exec(step);
    if (index) value = Array.isArray(value) ? value[Number(index[1])] : undefined;
    else value = isFields(value) ? value[step] : undefined;
  }
  return value;
}
