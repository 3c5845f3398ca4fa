/** Values of the parameters `{name:Type}` of a statement, by name. */
export type SqlValues = Readonly<Record<string, string>>;

/** Address of a statement's answer: `/sql`, as the user who can only read. */
export function toSqlUrl(
  sql: string,
  format: 'JSONCompact' | 'CSVWithNames',
  values: SqlValues = {},
): string {
  const query = new URLSearchParams({ user: 'analyst', query: `${sql}\nFORMAT ${format}` });
  for (const [name, value] of Object.entries(values)) query.set(`param_${name}`, value);
  return `/sql?${query}`;
}

/** Names of the parameters of a statement. */
export function findParameters(sql: string): readonly string[] {
  return [...new Set([...sql.matchAll(/\{(\w+):\w+\}/g)].map(([, name = '']) => name))];
}

/** Answer of a statement in the format JSONCompact. */
export interface SqlAnswer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly unknown[])[];
}

/** Index of the first column with numbers; -1: there is none. */
export function findFigure({ meta }: SqlAnswer): number {
  return meta.findIndex(({ type }) => isNumeric(type));
}

/**
 * Unix seconds and the first figures of an answer whose first column is a time that grows from row to row; null for other
 * answers, and for fewer than two rows.
 */
export function toTimeSeries(answer: SqlAnswer): readonly [times: number[], values: number[]] | null {
  const { meta, data } = answer;
  const figure = findFigure(answer);
  if (figure < 0 || !/^(Nullable\()?Date/.test(meta[0]?.type ?? '') || data.length < 2) return null;
  const times = data.map(([time]) => toUnix(String(time)));
  if (times.some((time, at) => at > 0 && time <= times[at - 1]!)) return null;
  return [times, data.map((row) => Number(row[figure]))];
}

/** Unix seconds of ClickHouse's text of a date or a time, UTC. */
function toUnix(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? 'Z' : ''}`) / 1_000;
}

/** True if a column's type is a number. */
export function isNumeric(type: string): boolean {
  return /^(Nullable\()?(U?Int|Float|Decimal)/.test(type);
}
