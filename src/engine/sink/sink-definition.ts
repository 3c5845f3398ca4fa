/** Filter of a target on the rows of its landing table: a one-byte column (Enum8, Bool, UInt8, Int8) equals a value, or a Nullable column is not NULL. */
export type RowFilter =
  | { readonly column: string; readonly equals: number }
  | { readonly column: string; readonly notNull: true };

/** A table that rows land in. */
export interface Target {
  readonly table: string;
  /** Sharding key on a cluster: an expression over the row's columns that yields a whole number. */
  readonly shard: string;
}

/**
 * A target that keeps every row that its view writes (MergeTree), so that rows can be counted by position: after an
 * unclean stop the counts are measured against the journal.
 */
export interface CountedTarget extends Target {
  /** Columns that name a row for every decoder: rows of two versions are compared by them. */
  readonly key?: readonly string[];
  /** Columns that repeat others in a form that may change with the version: two versions are not compared by them. */
  readonly packed?: readonly string[];
  /** Default: every landed row; of several filters, rows that pass them all. */
  readonly where?: RowFilter | readonly RowFilter[];
  /** Rows that the view makes of one landed row. Default 1. */
  readonly rowsPerRow?: number;
}

/** A landing table (engine Null), inserted as `land_<landing>`, and the targets that its views write. */
export interface Landing {
  readonly landing: string;
  /** Landing table with as many rows for each position: a replay links these rows, and counts those. */
  readonly countedLike?: string;
  readonly counted: readonly CountedTarget[];
}

/** Statements: a file of the project, or their text. */
export type SqlSource = string | { readonly sql: string };

/**
 * A target whose engine merges rows away, so that it cannot be counted: it is derived from counted targets. Files are
 * relative to the project; their parameters are `{db:Identifier}`, and the positions `{first:UInt32}` and
 * `{last:UInt32}`, both inclusive.
 */
export type DerivedTarget = Target &
  (
    | /** File of SQL statements that may run twice, and beside inserts. */ { readonly repair: SqlSource }
    | /** File of one SELECT: the rows, in the columns of the table, that it lacks. Two of the same row would be one too many. */ {
        readonly corrections: SqlSource;
      }
  );

/** Landing tables and targets of a projection. Every counted target has the column `position`, by default `mc_seqno`. */
export interface SinkDefinition {
  readonly landings: readonly Landing[];
  readonly derived: readonly DerivedTarget[];
  readonly position?: string;
  /** Columns by landing, of tables that another release made: nothing else of a batch is inserted. Default: all of it. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The table that a batch's table is inserted into. */
export function landingTable(landing: string): string {
  return `land_${landing}`;
}

export function positionColumn(definition: SinkDefinition): string {
  return definition.position ?? 'mc_seqno';
}

export function countedTargets(definition: SinkDefinition): readonly CountedTarget[] {
  return definition.landings.flatMap((landing) => landing.counted);
}

/** `confirmed` is on the first shard: one row there is one row for all. */
const CONFIRMED = { confirmed: '0' };

/** Sharding keys of a sink's tables on a cluster, by table. */
export function getSharding(definition: SinkDefinition): Readonly<Record<string, string>> {
  const targets: readonly Target[] = [...countedTargets(definition), ...definition.derived];
  return { ...CONFIRMED, ...Object.fromEntries(targets.map(({ table, shard }) => [table, shard])) };
}
