import type { Readable } from 'node:stream';
import type { ExportRequest } from './export-folder.ts';
import { FILE_SETTINGS } from './export-format.ts';
import { type ExportSource, NO_LIMITS } from './export-source.ts';
import { selectRows } from './export-statement.ts';
import { checkColumns, findTable } from './exported-table.ts';

/**
 * Opens the rows of a choice as one stream: the content of one file.
 * @throws ExportChoiceError, and errors of the store
 */
export async function openExport(
  source: ExportSource,
  { table: name, choice, format, signal }: Pick<ExportRequest, 'table' | 'choice' | 'format' | 'signal'>,
): Promise<{ readonly body: Readable; readonly rows: number }> {
  await source.refresh();
  const { client, lake, views } = source;
  const table = await findTable(client, { lake, name, views });
  checkColumns(table, choice.columns);
  const { sql, params } = selectRows(table, choice);
  return client.queryStream(`${sql} FORMAT ${format.clickhouse}`, {
    ...NO_LIMITS,
    route: 'export/stream',
    params,
    signal,
    settings: FILE_SETTINGS,
  });
}
