import type { Batch } from './batch.ts';
import type { SinkDefinition } from './sink-definition.ts';

/** The batch without the tables and columns that the definition's tables have not (`columns`). */
export function cutBatch({ columns }: Pick<SinkDefinition, 'columns'>, batch: Batch): Batch {
  if (!columns) return batch;
  const tables = batch.tables
    .filter(({ name }) => name in columns)
    .map((table) => ({
      name: table.name,
      rows: table.rows,
      columns: table.columns.filter(({ name }) => name in (columns[table.name] ?? {})),
    }));
  return { ...batch, tables };
}
