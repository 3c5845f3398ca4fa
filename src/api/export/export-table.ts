import type { ExportFormat } from './export-format.ts';
import type { ExportPlace } from './export-place.ts';
import { type ExportSource, readDatabases, readDays, readHeadDate } from './export-source.ts';
import { type ExportChoice, selectDays, selectRows } from './export-statement.ts';
import { checkColumns, type ExportedTable, findTable, PARTITION } from './exported-table.ts';
import { type ExportedFile, type Manifest, readManifest, withFile, writeManifest } from './manifest.ts';

/** What an export writes, and where. */
export interface ExportRequest {
  readonly table: string;
  readonly choice: ExportChoice;
  readonly format: ExportFormat;
  /** Place of the lake: files are below `<place>/<table>`. */
  readonly place: ExportPlace;
  /** True to write only days that the index has passed. */
  readonly onlyComplete: boolean;
  readonly signal: AbortSignal;
  /** Called with the rows that are written or kept, of all rows. */
  onProgress(done: number, total: number, note: string): void;
}

/** Result of one pass. */
export interface ExportReport {
  readonly written: number;
  /** Files of an earlier pass that were right. */
  readonly kept: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Name of the partition of rows without a date, as Hive has it. */
const NO_DATE = '__HIVE_DEFAULT_PARTITION__';

interface Part {
  /** Absent: the whole table. */
  readonly day?: string | null;
  readonly rows: number;
  readonly path: string;
  readonly isComplete: boolean;
}

/**
 * Writes the files of a table that are missing, damaged, or of another version: one file a day, or one for a table of
 * current states. Each file is in the manifest before the next one begins, so a stopped export resumes.
 *
 * @throws ExportChoiceError, OtherExportError, EmptyLakeError, and errors of the store and of the place
 */
export async function exportTable(source: ExportSource, request: ExportRequest): Promise<ExportReport> {
  const { place, choice, format, signal, onProgress } = request;
  await source.refresh();
  const { client, lake, views } = source;
  const table = await findTable(client, { lake, name: request.table, views });
  checkColumns(table, choice.columns);
  const { columns, accounts } = choice;
  const wanted = { table: table.name, format: format.clickhouse, columns, accounts };
  let manifest = await readManifest(place, wanted);
  const parts = await readParts(source, table, request);
  const databases = readDatabases(source.vector(), table);
  const total = parts.reduce((sum, { rows }) => sum + rows, 0);
  const report = { written: 0, kept: 0, rows: 0, bytes: 0 };
  for (const part of parts) {
    signal.throwIfAborted();
    const kept = await findKept(place, manifest, { path: part.path, databases });
    const file = kept ?? (await writePart(table, { part, request, databases }));
    if (!kept) {
      manifest = withFile(manifest, file);
      await writeManifest(place, manifest);
    }
    report[kept ? 'kept' : 'written']++;
    report.rows += file.rows;
    report.bytes += file.bytes;
    onProgress(Math.min(report.rows, total), total, part.day ?? '');
  }
  return report;
}

async function readParts(
  source: ExportSource,
  table: ExportedTable,
  { choice, format, onlyComplete, signal }: ExportRequest,
): Promise<readonly Part[]> {
  const name = `part-0.${format.extension}`;
  // Checks the choice also for a table without days.
  const days = selectDays(table, choice);
  if (table.isSnapshot) return [{ rows: 0, path: name, isComplete: false }];
  const head = await readHeadDate(source, table);
  const found = await readDays(source, days, signal);
  return found
    .map(({ day, rows }) => ({
      day,
      rows,
      path: `${PARTITION}=${day ?? NO_DATE}/${name}`,
      isComplete: day !== null && day < head,
    }))
    .filter(({ isComplete }) => isComplete || !onlyComplete);
}

/** The entry of a file that need not be written again. */
async function findKept(
  place: ExportPlace,
  { table, files }: Manifest,
  { path, databases }: Pick<ExportedFile, 'path' | 'databases'>,
): Promise<ExportedFile | null> {
  const entry = files.find((file) => file.path === path);
  if (!entry?.is_complete || JSON.stringify(entry.databases) !== JSON.stringify(databases)) return null;
  return (await place.hasFile(`${table}/${path}`, entry)) ? entry : null;
}

interface WrittenPart {
  readonly part: Part;
  readonly request: ExportRequest;
  readonly databases: ExportedFile['databases'];
}

async function writePart(
  table: ExportedTable,
  { part, request, databases }: WrittenPart,
): Promise<ExportedFile> {
  const { place, choice, format, signal } = request;
  const { path, day = null, isComplete } = part;
  const selected = selectRows(table, choice, part.day);
  const written = { ...selected, format: format.clickhouse, signal };
  const { rows, ...facts } = await place.write(`${table.name}/${path}`, written);
  return { path, block_date: day, rows, ...facts, is_complete: isComplete, databases };
}
