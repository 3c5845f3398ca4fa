import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { similarName } from '../../platform/text/similar-name.ts';
import type { LakeView } from '../lake/view-file.ts';

/** A table of the lake, as an export reads it. */
export interface ExportedTable {
  /** `database.table` */
  readonly qualified: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** True if the table has no days: its rows are current states, or have no date. */
  readonly isSnapshot: boolean;
  /** Projections that the rows come from. */
  readonly projections: readonly string[];
}

/** The table or a column of it does not exist, or the table has no days to select. */
export class ExportChoiceError extends UsageError {}

/** The column by which files are partitioned. */
export const PARTITION = 'block_date';

/**
 * Finds a table of the database `lake`.
 * @throws ExportChoiceError
 */
export async function findTable(
  client: StoreClient,
  {
    lake,
    name,
    views,
  }: { readonly lake: string; readonly name: string; readonly views: readonly LakeView[] },
): Promise<ExportedTable> {
  const view = views.find((one) => one.name === name);
  if (!view)
    throw unknownName(
      'table',
      name,
      views.map((one) => one.name),
    );
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.columns WHERE database = {lake:String} AND table = {name:String} ORDER BY position',
    { route: 'export/table', params: { lake, name } },
  );
  if (rows.length === 0)
    throw new ExportChoiceError(
      `table ${name} needs the projections ${view.reads.join(', ')}, which are not served yet`,
    );
  const columns = rows.map(([column]) => column);
  return {
    qualified: `${lake}.${name}`,
    name,
    columns,
    isSnapshot: view.isNewest || !columns.includes(PARTITION),
    projections: [...view.reads, ...view.adds],
  };
}

/** @throws ExportChoiceError */
export function checkColumns({ name, columns }: ExportedTable, chosen: readonly string[]): void {
  for (const column of chosen)
    if (!columns.includes(column)) throw unknownName(`column of ${name}`, column, columns);
}

function unknownName(kind: string, found: string, known: readonly string[]): ExportChoiceError {
  const near = similarName(found, known);
  return new ExportChoiceError(
    `${found}: no such ${kind}. ${near === null ? `Known: ${known.join(', ')}` : `Do you mean ${near}?`}`,
  );
}
