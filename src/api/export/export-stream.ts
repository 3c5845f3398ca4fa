import type { Readable } from 'node:stream';
import { FILE_SETTINGS } from './export-format.ts';
import type { WrittenFile } from './export-place.ts';
import { type ExportSource, NO_LIMITS } from './export-source.ts';
import { type ExportStatement, selectRows } from './export-statement.ts';
import type { ExportRequest } from './export-table.ts';
import { checkColumns, findTable } from './exported-table.ts';

type Request = Pick<ExportRequest, 'table' | 'choice' | 'format' | 'signal'>;

/**
 * Opens the rows of a choice as one stream: the content of one file.
 * @throws ExportChoiceError, and errors of the store
 */
export async function openExport(
  source: ExportSource,
  request: Request,
): Promise<{ readonly body: Readable; readonly rows: number }> {
  const { sql, params } = await selectAll(source, request);
  return source.client.queryStream(`${sql} FORMAT ${request.format.clickhouse}`, {
    ...NO_LIMITS,
    route: 'export/stream',
    params,
    signal: request.signal,
    settings: FILE_SETTINGS,
  });
}

/**
 * Writes the rows of a choice to one file of a place.
 * @throws ExportChoiceError, and errors of the store and of the place
 */
export async function exportFile(
  source: ExportSource,
  request: Request & Pick<ExportRequest, 'place'> & { readonly path: string },
): Promise<WrittenFile> {
  const { place, path, format, signal } = request;
  const selected = await selectAll(source, request);
  return place.write(path, { ...selected, format: format.clickhouse, signal });
}

async function selectAll(source: ExportSource, { table: name, choice }: Request): Promise<ExportStatement> {
  await source.refresh();
  const { client, lake, views } = source;
  const table = await findTable(client, { lake, name, views });
  checkColumns(table, choice.columns);
  return selectRows(table, choice);
}
