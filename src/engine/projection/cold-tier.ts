/** How old rows of a table move: parts by a column of Unix seconds, or whole partitions by epoch. */
export interface AgingTable {
  readonly table: string;
  readonly aging: { readonly column: string } | 'epoch';
}

/** Where old parts of tables move, and when. */
export interface ColdTier {
  /** Storage policy of the tables. It has the volume `cold`. */
  readonly policy: string;
  /** Parts move if all their rows are older, seconds; null: parts move back. */
  readonly afterSeconds: number | null;
  /** Tables of a projection whose old rows move. */
  tables(projection: string): readonly AgingTable[];
}
