/* Tables that queries read, and the views that fill them from a landing table or another target. */
import type { Packed } from './packed.ts';
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
  /** Value in rows of the view, which does not write the column. */
  readonly fallback?: string;
  /** What the view writes: an expression over its source. Default: the column of that name. */
  readonly from?: string;
}

/** A column of a key. `falling`: the highest value first. */
export type KeyPart = string | { readonly falling: string };

/** What rows of a table can be looked up by. */
export interface LookUp {
  /** Name in the index: letters, digits and _. */
  readonly name: string;
  /** Columns of the key, which no two rows share, unless there is no value. Keys are ordered by their bytes. */
  readonly key: readonly KeyPart[];
  /** The value: columns as a row of RowBinary, or a payload. */
  readonly value: readonly string[] | Packed;
  /** SQL condition on the rows. Default: all rows. */
  readonly where?: string;
  /** True if a row that the table has lost is still right, because its key names its content. Default false. */
  readonly outlives?: boolean;
}

/**
 * How old rows of a table move to the cold volume: parts of which every row is old by a column of Unix seconds, or whole
 * partitions of old epochs.
 */
export type Aging = { readonly column: string } | 'epoch';

/** A table that a view fills. */
export interface Target {
  readonly name: string;
  readonly comment: string;
  /** Landing table, as `land_<name>`, or another target. Absent: rows are inserted, no view fills the table. */
  readonly source?: string;
  /** Name of the source in expressions of the view. */
  readonly as?: string;
  /** Default: `db`, the database of the migration. `secrets`: that of the network's secrets. */
  readonly database?: 'secrets';
  /** Empty: the landed columns, without codecs. */
  readonly columns: readonly TargetColumn[];
  /** Data skipping indexes by name: their column, how many granules an entry covers, and the type, by default `minmax`. */
  readonly skips?: Readonly<Record<string, readonly [column: string, granules: number, type?: string]>>;
  /** Default: MergeTree. Engines of that family are replicated on a cluster. */
  readonly engine?: string;
  /** Default: one partition. */
  readonly partitionBy?: string;
  /** Empty: the engine has no order. */
  readonly orderBy: readonly string[];
  readonly settings?: Readonly<Record<string, number>>;
  /** Expressions that several columns share, by name. */
  readonly withs?: Readonly<Record<string, string>>;
  /** Columns of the source that the view leaves out. If given, it takes all the others as they are. */
  readonly without?: readonly string[];
  readonly where?: readonly Filter[];
  /** What the view selects from a table, if it is more than columns; `range`: a further condition, or null. */
  readonly select?: (from: string, range: string | null) => string;
  /** Rows that the view makes of one landed row. Default 1. */
  readonly rowsPerRow?: number;
  /** Sharding key on a cluster (docs/decisions/0011-cluster.md): an expression over the columns that yields a whole number. */
  readonly shard: string;
  /** Columns that identify a row in every version. Versions are compared by them. */
  readonly key?: readonly string[];
  /** Columns that repeat others in a form that may change with the version. */
  readonly packed?: readonly string[];
  /** What rows can be looked up by in the look-up index of a serving process. Default: nothing. */
  readonly lookUps?: readonly LookUp[];
  /** For tables read by block or time. Default: rows never move, because look-ups by account or hash end here. */
  readonly aging?: Aging;
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

/** Landed columns by name with their codecs; `null`: none. */
export function pick(table: Table, codecs: Readonly<Record<string, string | null>>): TargetColumn[] {
  return Object.entries(codecs).map(([name, codec]) => landed(table, name, codec));
}

/** Some landed columns with the codecs of the table; by default all. */
export function pickAll(table: Table, names = Object.keys(table.columns)): TargetColumn[] {
  return names.map((name) => landed(table, name));
}

/** The column of the partition in the targets of a projection that has one. */
export const ONE_PART: TargetColumn = {
  name: 'part',
  type: 'UInt16',
  comment: 'The projection has one partition.',
  codec: 'ZSTD(1)',
  fallback: '0',
};

/** What an index of a table adds to its rows. */
export interface Index extends Omit<Target, 'source' | 'settings'> {
  readonly granularity: number;
  /** Smallest block that is compressed, bytes. Default: ClickHouse's. */
  readonly block?: number;
}

/** A table of landed rows in some order: what finds the key of a row by something else is a narrow one. */
export function buildIndex({ name: source }: Table, { granularity, block, ...index }: Index): Target {
  const blocks = block === undefined ? {} : { min_compress_block_size: block };
  const settings = { index_granularity: granularity, ...blocks, merge_selector_base: 20 };
  return { source: `land_${source}`, settings, ...index };
}

/** A target with all rows and columns of a table. */
export function buildCopy(table: Table, layout: Pick<Target, 'orderBy' | 'shard'> & Partial<Target>): Target {
  return {
    name: table.name,
    comment: table.comment,
    source: `land_${table.name}`,
    columns: pickAll(table),
    without: [],
    settings: { index_granularity: 1024 },
    key: table.key,
    ...layout,
  };
}

/** A table of rows that are inserted as they are stored. Columns have only their own codecs. */
export function buildStored(table: Table, layout: Pick<Target, 'orderBy'> & Partial<Target>): Target {
  const columns = Object.entries(table.columns).map(([name, { type, comment, codec = null, fallback }]) => ({
    name,
    type,
    comment,
    codec,
    ...(fallback !== undefined && { fallback }),
  }));
  return { name: table.name, comment: table.comment, columns, shard: '0', key: table.key, ...layout };
}

/** The statement that creates a landing table. */
export function landingSql({ name, comment, columns }: Table): string {
  const lines = Object.entries(columns).map(
    ([column, { type, comment }]) => `    ${column} ${type} ${commentSql(comment)}`,
  );
  return `CREATE TABLE IF NOT EXISTS {db}.land_${name}{cluster}\n(\n${lines.join(',\n')}\n)\nENGINE = Null\n${commentSql(comment)}`;
}

/** The statement that creates a target. */
export function targetSql(target: Target): string {
  const {
    name,
    comment,
    database = 'db',
    engine = 'MergeTree',
    partitionBy,
    orderBy,
    settings = {},
  } = target;
  const order = orderBy.length === 1 ? orderBy[0] : `(${orderBy.join(', ')})`;
  const chosen = Object.entries(settings).map(([setting, value]) => `${setting} = ${value}`);
  return [
    `CREATE TABLE IF NOT EXISTS {${database}}.${name}{cluster}${bodySql(target)}`,
    `ENGINE = ${engine.includes('MergeTree') ? `{engine:${engine}}` : engine}`,
    ...(partitionBy === undefined ? [] : [`PARTITION BY ${partitionBy}`]),
    ...(orderBy.length === 0 ? [] : [`ORDER BY ${order}`]),
    ...(chosen.length === 0 ? [] : [`SETTINGS ${chosen.join(', ')}`]),
    commentSql(comment),
  ].join('\n');
}

function bodySql({ source, columns, skips = {} }: Target): string {
  if (columns.length === 0) return ` AS {db}.${source}`;
  const indexes = Object.entries(skips).map(
    ([index, [column, granules, type = 'minmax']]) =>
      `INDEX ${index} ${column} TYPE ${type} GRANULARITY ${granules}`,
  );
  const lines = [...columns.map(columnSql), ...indexes].map((line) => `    ${line}`);
  return `\n(\n${lines.join(',\n')}\n)`;
}

/** Words of SQL that are names of columns. */
const QUOTED: ReadonlySet<string> = new Set(['projection', 'range']);

function columnSql({ name, type, codec, alias, fallback, comment }: TargetColumn): string {
  const typed = `${QUOTED.has(name) ? `\`${name}\`` : name} ${type}`;
  const value = alias ? ` ALIAS ${alias}` : fallback === undefined ? '' : ` DEFAULT ${fallback}`;
  const packing = alias || codec === null ? '' : ` CODEC(${codec})`;
  return `${typed}${value} ${commentSql(comment)}${packing}`;
}

function commentSql(comment: string): string {
  return `COMMENT '${comment.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The statement that creates the view into a target. `types`: of the columns that filters name. */
export function viewSql(target: Target, types: Readonly<Record<string, string>>): string {
  const { name, source, withs = {} } = target;
  const shared = Object.entries(withs).map(([alias, expression]) => `${expression} AS ${alias}`);
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.${name}_mv{cluster} TO {db}.${name} AS`,
    ...(shared.length > 0 ? [`WITH ${shared.join(',\n    ')}`] : []),
    target.select?.(`{db}.${source}`, null) ?? selectFrom(target, types),
  ].join('\n');
}

const RANGE = 'mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}';

/**
 * The statement that derives a target again from a table with the landed columns. The target's engine merges rows that are
 * there twice.
 */
function repairSql(target: Target, stored: string, types: Readonly<Record<string, string>>): string {
  const { name, columns, where = [] } = target;
  const names = columns.filter(isWritten).map((column) => column.name);
  const from = `{db:Identifier}.${stored}`;
  const conditions = [RANGE, ...where.map((filter) => filterSql(filter, types))].join(' AND ');
  const plain = `SELECT${selectSql(target)}\nFROM ${from}\nWHERE ${conditions}`;
  const select = target.select?.(from, RANGE) ?? plain;
  return `INSERT INTO {db:Identifier}.${name} (${names.join(', ')})\n${select}`;
}

function selectFrom(target: Target, types: Readonly<Record<string, string>>): string {
  const { source, as: alias, where = [] } = target;
  // A filter on a column whose name an expression of the view takes would read the expression.
  const taken = target.columns.filter(({ from }) => from).map((column) => column.name);
  const from = alias ?? (where.some(({ column }) => taken.includes(column)) ? 'm' : null);
  const prefix = from === null ? '' : `${from}.`;
  const filters = where.map((filter) => prefix + filterSql(filter, types));
  const condition = filters.length > 0 ? `\nWHERE ${filters.join(' AND ')}` : '';
  return `SELECT${selectSql(target)}\nFROM {db}.${source}${from === null ? '' : ` AS ${from}`}${condition}`;
}

function selectSql({ columns, without }: Target): string {
  if (without && without.length > 0) return ` * EXCEPT (${without.join(', ')})`;
  if (without || columns.length === 0) return ' *';
  const stored = columns.filter(isWritten);
  // The payload is the longest expression: it comes last.
  const ordered = stored.toSorted((a, b) => Number(a.name === 'payload') - Number(b.name === 'payload'));
  return ordered.map(({ name, from }) => `\n    ${from ? `${from} AS ${name}` : name}`).join(',');
}

function isWritten({ alias, fallback }: TargetColumn): boolean {
  return alias === undefined && fallback === undefined;
}

function filterSql(filter: Filter, types: Readonly<Record<string, string>>): string {
  if ('notNull' in filter) return `${filter.column} IS NOT NULL`;
  const { column, equals } = filter;
  const type = types[column] as string;
  if (type === 'Bool') return equals === 1 ? column : `NOT ${column}`;
  const name = new RegExp(`'([^']*)' = ${equals}\\b`).exec(type)?.[1];
  return name === undefined ? `${column} = ${equals}` : `${column} = '${name}'`;
}

/** A landing table and its targets as the sink of a projection counts and compares them. */
export function landing({ name }: Table, targets: readonly Target[]) {
  return { landing: name, counted: targets.map(counted) };
}

function counted({ name, shard, key, where, packed, rowsPerRow }: Target) {
  return {
    table: name,
    shard,
    ...(key && { key }),
    ...(where && { where }),
    ...(packed && { packed }),
    ...(rowsPerRow && { rowsPerRow }),
  };
}

/**
 * A target whose engine keeps one of several rows, as the sink derives it again from a stored table. `types`: of the columns
 * that its filters name.
 */
export function derived(target: Target, stored: string, types: Readonly<Record<string, string>> = {}) {
  return { table: target.name, shard: target.shard, repair: { sql: repairSql(target, stored, types) } };
}

/** A target of a projection whose engine sums rows. A file of its name selects the rows that it lacks. */
export function summed(projection: string, { name, shard }: Target) {
  return { table: name, shard, corrections: `clickhouse/${projection}/repairs/${name}.sql` };
}
