/**
 * A table as a value. The DDL of its landing table and targets, the aliases, the writer's columns, the reader of its
 * payload, the codes of its enums and its comments follow from it. Nothing in this folder does I/O.
 */

/** A column of the landing table. */
export interface Column<T extends string = string> {
  /** ClickHouse's type name. */
  readonly type: T;
  /** Meaning, unit and source of the rule. */
  readonly comment: string;
  /** Codec in the target, if not the one that `getCodec` chooses by type. */
  readonly codec?: string;
  /** Value of rows that are inserted without the column. */
  readonly fallback?: string;
  /** Name of an enum in the schemas of typed topics. */
  readonly enumName?: string;
  /** True if zeros or an empty text mean none: null in typed topics. */
  readonly isOptional?: true;
}

export type Columns = Readonly<Record<string, Column>>;

/** Types by column. */
export type ColumnTypes<C extends Columns = Columns> = { readonly [K in keyof C]: C[K]['type'] };

/** Rows of a decoder, and the landing table `land_<name>` that receives them. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  /**
   * The version of the projection in which these rows last changed, in form or content. The highest one of the tables
   * of `base` is its version.
   */
  readonly version: number;
  readonly comment: string;
  readonly columns: C;
  /** Columns that identify a row in every version. Replayed versions are compared by them. */
  readonly key: readonly string[];
}

/** Codec of values that rise with the order of the rows. */
export const RISING = 'Delta, ZSTD(1)';

/** A column. */
export function column<const T extends string>(type: T, comment: string): Column<T> {
  return { type, comment };
}

/** A column whose values rise with the order of the target's rows. */
export function rising<const T extends string>(type: T, comment: string): Column<T> {
  return { type, comment, codec: RISING };
}

/** A column with a codec of its own. */
export function coded<const T extends string>(type: T, codec: string, comment: string): Column<T> {
  return { type, comment, codec };
}

/** An enum with its name in the schemas of typed topics. */
export function named<const C extends Column>(enumName: string, one: C): C & { readonly enumName: string } {
  return { ...one, enumName };
}

/** A column in which zeros or an empty text mean none. */
export function orNone<const C extends Column>(one: C): C & { readonly isOptional: true } {
  return { ...one, isOptional: true };
}

/** A column that has a value of its own in rows that are inserted without it. */
export function optional<const T extends string>(
  type: T,
  fallback: string,
  comment: string,
): Column<T> & { readonly fallback: string } {
  return { type, comment, fallback };
}

type PartyColumns<N extends string> = { readonly [K in `has_${N}`]: Column<'Bool'> } & {
  readonly [K in `${N}_workchain`]: Column<'Int32'>;
} & { readonly [K in N]: Column<'FixedString(32)'> };

/** The columns of an account that may be absent: zeros then. `codec`: of its id, if not the usual one. */
export function party<const N extends string>(name: N, what: string, codec?: string): PartyColumns<N> {
  return {
    [`has_${name}`]: column('Bool', `There is a ${what}.`),
    [`${name}_workchain`]: column('Int32', `Workchain of the ${what}; 0 for none.`),
    [name]: {
      ...column('FixedString(32)', `Account id of the ${what}; zeros for none.`),
      ...(codec && { codec }),
    },
  } as unknown as PartyColumns<N>;
}

/** Returns a table with the literal types of its columns. */
export function defineTable<const C extends Columns>(
  table: Table<C> & { readonly key: readonly (keyof C)[] },
): Table<C> {
  return table;
}

/** Types of the columns of a table, in order. */
export function columnTypes<C extends Columns>({ columns }: Table<C>): ColumnTypes<C> {
  const types = Object.entries(columns).map(([name, { type }]) => [name, type]);
  return Object.fromEntries(types) as ColumnTypes<C>;
}

type Written<C extends Columns> = {
  readonly [K in keyof C as C[K] extends { readonly fallback: string } ? never : K]: C[K]['type'];
};

/** Types of the columns that a row is inserted with. */
export function writtenTypes<C extends Columns>({ columns }: Table<C>): Written<C> {
  const written = Object.entries(columns).filter(([, { fallback }]) => fallback === undefined);
  return Object.fromEntries(written.map(([name, { type }]) => [name, type])) as Written<C>;
}

/** Hashes do not compress, so they get the fastest codec; maps are mostly empty. */
export function getCodec({ type, codec }: Column): string {
  if (codec) return codec;
  if (type.startsWith('FixedString')) return 'LZ4';
  return type.startsWith('Map(') ? 'ZSTD(3)' : 'ZSTD(1)';
}

/** The version of a projection: the highest one of its tables. */
export function newestVersion(tables: readonly Table[]): number {
  return Math.max(...tables.map(({ version }) => version));
}
