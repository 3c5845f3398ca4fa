/* Tables that queries read, and the views that fill them from a landing table or another target. */
import { getCodec, type Table } from './table.ts';

/** Passes a landed row on if the column, one byte wide, has the value, or if the Nullable column has one. */
export type Filter =
  | { readonly column: string; readonly equals: number }
  | { readonly column: string; readonly notNull: true };

/** A column of a target. */
export interface TargetColumn {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
  /** `null`: not compressed by a codec of its own. */
  readonly codec: string | null;
  /** An expression over the other columns of the target: the column is not stored. */
  readonly alias?: string;
  /** What the view writes: an expression over its source. Default: the column of that name. */
  readonly from?: string;
}

/** A table that a view fills. */
export interface Target {
  readonly name: string;
  readonly comment: string;
  /** Landing table, as `land_<name>`, or another target. */
  readonly source: string;
  readonly columns: readonly TargetColumn[];
  /** Indexes of the minimum and maximum of a column, and how many granules an entry covers, by name. */
  readonly minmax?: Readonly<Record<string, readonly [column: string, granules: number]>>;
  /** Default: MergeTree. */
  readonly engine?: string;
  readonly orderBy: readonly string[];
  readonly settings: Readonly<Record<string, number>>;
  /** Expressions that several columns share, by name. */
  readonly withs?: Readonly<Record<string, string>>;
  /** Columns of the source that the view leaves out. If given, it takes all the others as they are. */
  readonly without?: readonly string[];
  readonly where?: readonly Filter[];
  /** Sharding key on a cluster (docs/decisions/0011-cluster.md): an expression over the columns that yields a whole number. */
  readonly shard: string;
  /** Columns that identify a row in every version. Versions are compared by them. */
  readonly key?: readonly string[];
  /** Columns that repeat others in a form that may change with the version. */
  readonly packed?: readonly string[];
}

/** A landed column as the target stores it; by default with the codec of the table. */
export function landed(table: Table, name: string, codec?: string | null): TargetColumn {
  const column = table.columns[name];
  if (!column) throw new RangeError(`${table.name} has no column ${name}`);
  const { type, comment } = column;
  return { name, type, comment, codec: codec === undefined ? getCodec(column) : codec };
}

/** The first 8 bytes of a hash as a number, most significant first, so that a short key finds the row. */
export function first8(name: string, hash: string): TargetColumn {
  const from = `reinterpretAsUInt64(reverse(substring(${hash}, 1, 8)))`;
  const comment = `First 8 bytes of ${hash} as a number, most significant first.`;
  return { name, type: 'UInt64', comment, codec: null, from };
}

/** What an index of a table adds to its rows. */
export interface Index extends Pick<Target, 'name' | 'comment' | 'orderBy' | 'shard' | 'where'> {
  readonly granularity: number;
  /** Smallest block that is compressed, bytes. Default: ClickHouse's. */
  readonly block?: number;
  readonly columns: readonly TargetColumn[];
}

/** A narrow table of landed rows in another order: what finds the key of a row by something else. */
export function buildIndex({ name: source }: Table, { granularity, block, ...index }: Index): Target {
  const blocks = block === undefined ? {} : { min_compress_block_size: block };
  const settings = { index_granularity: granularity, ...blocks, merge_selector_base: 20 };
  return { source: `land_${source}`, settings, ...index };
}

/** The statement that creates a landing table. */
export function landingSql(name: string, types: Readonly<Record<string, string>>): string {
  const lines = Object.entries(types).map(([column, type]) => `    ${column} ${type}`);
  return `CREATE TABLE IF NOT EXISTS {db}.land_${name}{cluster}\n(\n${lines.join(',\n')}\n)\nENGINE = Null`;
}

/** The statement that creates a target. */
export function targetSql({
  name,
  columns,
  minmax = {},
  engine = 'MergeTree',
  orderBy,
  settings,
}: Target): string {
  const indexes = Object.entries(minmax).map(
    ([index, [column, granules]]) => `INDEX ${index} ${column} TYPE minmax GRANULARITY ${granules}`,
  );
  const lines = [...columns.map(columnSql), ...indexes].map((line) => `    ${line}`);
  const order = orderBy.length === 1 ? orderBy[0] : `(${orderBy.join(', ')})`;
  const chosen = Object.entries(settings).map(([setting, value]) => `${setting} = ${value}`);
  return `CREATE TABLE IF NOT EXISTS {db}.${name}{cluster}\n(\n${lines.join(',\n')}\n)
ENGINE = {engine:${engine}}\nORDER BY ${order}\nSETTINGS ${chosen.join(', ')}`;
}

function columnSql({ name, type, codec, alias }: TargetColumn): string {
  if (alias) return `${name} ${type} ALIAS ${alias}`;
  return codec === null ? `${name} ${type}` : `${name} ${type} CODEC(${codec})`;
}

/** The statement that creates the view into a target. `types`: of the columns that filters name. */
export function viewSql(target: Target, types: Readonly<Record<string, string>>): string {
  const { name, source, withs = {}, where = [] } = target;
  const shared = Object.entries(withs).map(([alias, expression]) => `${expression} AS ${alias}`);
  // A filter on a column whose name an expression of the view takes would read the expression.
  const taken = target.columns.filter(({ from }) => from).map((column) => column.name);
  const prefix = where.some(({ column }) => taken.includes(column)) ? 'm.' : '';
  const filters = where.map((filter) => prefix + filterSql(filter, types));
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.${name}_mv{cluster} TO {db}.${name} AS`,
    ...(shared.length > 0 ? [`WITH ${shared.join(',\n    ')}`] : []),
    `SELECT${selectSql(target)}`,
    `FROM {db}.${source}${prefix && ' AS m'}`,
    ...(filters.length > 0 ? [`WHERE ${filters.join(' AND ')}`] : []),
  ].join('\n');
}

function selectSql({ columns, without }: Target): string {
  if (without) return ` * EXCEPT (${without.join(', ')})`;
  const stored = columns.filter(({ alias }) => !alias);
  // The payload is the longest expression: it comes last.
  const ordered = stored.toSorted((a, b) => Number(a.name === 'payload') - Number(b.name === 'payload'));
  return ordered.map(({ name, from }) => `\n    ${from ? `${from} AS ${name}` : name}`).join(',');
}

function filterSql(filter: Filter, types: Readonly<Record<string, string>>): string {
  if ('notNull' in filter) return `${filter.column} IS NOT NULL`;
  const { column, equals } = filter;
  const type = types[column] as string;
  if (type === 'Bool') return equals === 1 ? column : `NOT ${column}`;
  const name = new RegExp(`'([^']*)' = ${equals}\\b`).exec(type)?.[1];
  return name === undefined ? `${column} = ${equals}` : `${column} = '${name}'`;
}

/** A target as the sink of a projection counts and compares it. */
export function counted({ name, shard, key, where, packed }: Target) {
  return {
    table: name,
    shard,
    ...(key && { key }),
    ...(where && { where }),
    ...(packed && { packed }),
  };
}
