import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXPORT_FORMATS, type ExportFormat, FILE_SETTINGS } from '../../src/api/export/export-format.ts';
import { type ExportSource, NO_LIMITS } from '../../src/api/export/export-source.ts';
import { selectRows } from '../../src/api/export/export-statement.ts';
import { exportTable } from '../../src/api/export/export-table.ts';
import { findTable } from '../../src/api/export/exported-table.ts';
import { folderPlace } from '../../src/api/export/folder-place.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { openExportSource } from '../../src/cli/compose/export-source.ts';
import { runSession } from '../../src/cli/session.ts';
import { EXPORT_SETTINGS } from '../../src/cli/setting-groups.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { createGeneratedIndex } from '../common/generated-index.ts';
import { note, round } from '../common/report.ts';

export interface ScanOptions {
  readonly transactions: number;
  readonly table: string;
  readonly runs: number;
}

/** The fastest runs, seconds. */
export interface ScanFigures {
  readonly rows: number;
  readonly bytes: number;
  readonly exportSeconds: number;
  /** ClickHouse writes the file itself, on its machine. */
  readonly ownSeconds: number;
}

const CHOICE = { columns: [], accounts: [] };
const PARQUET = EXPORT_FORMATS.parquet as ExportFormat;

/** Exports a table of a generated chain, and lets ClickHouse write the same rows, in turns. */
export async function measureScan({ transactions, table, runs }: ScanOptions): Promise<ScanFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const data = await createGeneratedIndex(folder, transactions);
    return await runSession({}, async (session) => {
      const settings = { ...resolveSettings(EXPORT_SETTINGS, {}), data };
      const source = await openExportSource(await openLog(data, session, settings), settings, session);
      let figures = { rows: 0, bytes: 0, exportSeconds: Infinity, ownSeconds: Infinity };
      for (let run = 0; run < runs; run++) {
        const exported = await exportOnce(source, table, join(folder, `lake-${run}`), session.signal);
        const ownSeconds = await writeOnce(source, table, run);
        note(`export ${round(exported.seconds, 2)} s, own writer ${round(ownSeconds, 2)} s`);
        const { rows, bytes, seconds } = exported;
        figures = {
          rows,
          bytes,
          exportSeconds: Math.min(figures.exportSeconds, seconds),
          ownSeconds: Math.min(figures.ownSeconds, ownSeconds),
        };
      }
      return figures;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exportOnce(source: ExportSource, table: string, folder: string, signal: AbortSignal) {
  const start = performance.now();
  const { rows, bytes } = await exportTable(source, {
    table,
    choice: CHOICE,
    format: PARQUET,
    place: folderPlace(source.client, folder),
    onlyComplete: false,
    signal,
    onProgress: () => {},
  });
  return { rows, bytes, seconds: (performance.now() - start) / 1_000 };
}

async function writeOnce({ client, lake, views }: ExportSource, name: string, run: number): Promise<number> {
  const table = await findTable(client, { lake, name, views });
  const { sql } = selectRows(table, { ...CHOICE, columns: table.columns });
  const start = performance.now();
  // The server writes only below this folder.
  const path = join(client.directory ?? '', 'data', `own-${run}.parquet`);
  await client.command(`INSERT INTO FUNCTION file('${path}', 'Parquet') ${sql}`, {
    route: 'bench',
    timeoutMs: NO_LIMITS.timeoutMs,
    settings: FILE_SETTINGS,
  });
  return (performance.now() - start) / 1_000;
}
