import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { QUERY_DEFAULTS } from '../../platform/clickhouse/client-options.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import type { LakeView } from '../lake/view-file.ts';
import type { ProjectionName, VersionVector } from '../version-vector.ts';
import type { ExportStatement } from './export-statement.ts';
import type { ExportedTable } from './exported-table.ts';

/** The lake, as an export reads it. */
export interface ExportSource {
  readonly client: StoreClient;
  /** Name of the database of the views. */
  readonly lake: string;
  readonly views: readonly LakeView[];
  vector(): VersionVector;
  /** Brings the versions and the views up to date. */
  refresh(): Promise<void>;
}

/** No block of the table can be read yet. */
export class EmptyLakeError extends DataError {
  constructor(table: string) {
    super(`${table}: no blocks are indexed yet`);
  }
}

/** Limits of an export: none but the server's own. */
export const NO_LIMITS = { timeoutMs: 0, maxRows: 0, maxResultBytes: 0, maxMemoryBytes: 0 } as const;

/** Database of each served projection that the table is read from. */
export function readDatabases(vector: VersionVector, table: ExportedTable): Readonly<Record<string, string>> {
  return Object.fromEntries(
    table.projections.flatMap((name) => {
      const view = vector[name as ProjectionName];
      return view.state === 'served' ? [[name, view.database]] : [];
    }),
  );
}

/**
 * Date of the newest block from which all projections of the table have their rows: earlier days are complete.
 * @throws EmptyLakeError
 */
export async function readHeadDate(
  { client, lake, vector }: ExportSource,
  table: ExportedTable,
): Promise<string> {
  const views = table.projections.map((name) => vector()[name as ProjectionName]);
  const last = Math.min(...views.flatMap((view) => (view.state === 'served' ? [view.visible.last] : [])));
  const { rows } = await client.queryRows<[string | null]>(
    `SELECT toString(maxOrNull(block_date)) FROM ${lake}.blocks WHERE mc_block_seqno = {last:Int32}`,
    { route: 'export/head', params: { last }, timeoutMs: 0 },
  );
  const date = rows[0]?.[0];
  if (!date) throw new EmptyLakeError(table.name);
  return date;
}

/** Rows of a statement by day, as `selectDays` has them. */
export async function readDays(
  { client }: ExportSource,
  { sql, params }: ExportStatement,
  signal: AbortSignal,
): Promise<readonly { readonly day: string | null; readonly rows: number }[]> {
  const options = { ...NO_LIMITS, maxRows: QUERY_DEFAULTS.maxRows, params, signal };
  const { rows } = await client.queryRows<[string | null, string]>(sql, { ...options, route: 'export/days' });
  return rows.map(([day, count]) => ({ day, rows: Number(count) }));
}
