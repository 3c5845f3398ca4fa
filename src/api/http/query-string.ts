/** The values of a parameter as sent, in order, and the spelling of the name that was used last. */
export interface SentParameter {
  readonly name: string;
  readonly values: readonly string[];
}

/** Parameters by lower-case name: names are matched without regard to case, and `a[]` is `a` (v3-endpoints.md 1.2). */
export type SentParameters = ReadonlyMap<string, SentParameter>;

/** Reads the query part of a request's address. `+` is a space, as in forms. */
export function readQueryString(url: string): SentParameters {
  const mark = url.indexOf('?');
  if (mark < 0) return new Map();
  const found = new Map<string, { name: string; values: string[] }>();
  for (const [sent, value] of new URLSearchParams(url.slice(mark + 1))) {
    const name = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
    const known = found.get(name.toLowerCase());
    if (known) known.values.push(value);
    else found.set(name.toLowerCase(), { name, values: [value] });
  }
  return found;
}
