import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS } from '../../api/export/export-format.ts';
import type { ExportPlace } from '../../api/export/export-place.ts';
import type { ExportSource } from '../../api/export/export-source.ts';
import { exportFile, openExport } from '../../api/export/export-stream.ts';
import { type ExportReport, type ExportRequest, exportTable } from '../../api/export/export-table.ts';
import { followExport } from '../../api/export/follow-export.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog } from '../compose/data-directory.ts';
import { openExportSource } from '../compose/export-source.ts';
import { EXIT } from '../exit-codes.ts';
import { type ExportOptions, readExportOptions } from '../export-options.ts';
import { openPlace } from '../export-place.ts';
import { runService, runSession } from '../session.ts';
import { EXPORT_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse export TABLE`: writes a table of the lake to files. */
export function exportCommand(command: Command, exit: (code: number) => void): void {
  const format = new Option('--format <FORMAT>', 'format of the files [default: by --out, or parquet]');
  format.argChoices = Object.keys(EXPORT_FORMATS);
  command
    .argument('<TABLE>', 'table of docs/tables.md')
    .requiredOption(
      '--out <PATH>',
      'folder or s3://BUCKET/PREFIX, file that ends with a format (blocks.csv), or - for stdout',
    )
    .addOption(format)
    .option('--from <DATE>', 'first day, YYYY-MM-DD, UTC')
    .option('--to <DATE>', 'last day, YYYY-MM-DD, UTC')
    .option('--columns <NAMES>', 'columns, with commas [default: all]')
    .option('--account <ADDRESS>', 'rows with this account in a column of addresses [repeatable]', append, [])
    .option('--follow', 'write each day when it is complete, until stopped')
    .option('--json', 'print one JSON object a pass')
    .action(async (table: string, flags: Flags) => exit(await runExport(table, flags)));
  addSettings(command, EXPORT_SETTINGS);
}

const append = (one: string, before: readonly string[]): readonly string[] => [...before, one];

async function runExport(table: string, flags: Flags): Promise<number> {
  const settings = resolveSettings(EXPORT_SETTINGS, flags);
  const options = readExportOptions(table, flags);
  const { target } = options;
  // Before the store is opened: an address that cannot be used fails at once.
  const place = target.kind === 'stdout' ? null : openPlace(target.place, settings);
  const run = options.isFollowed ? runService : runSession;
  await run(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const source = await openExportSource(log, settings, session);
    await write(source, { options, place: place?.(source.client) ?? null, signal: session.signal });
  });
  return EXIT.ok;
}

interface Writing {
  readonly options: ExportOptions;
  /** Null for stdout. */
  readonly place: ExportPlace | null;
  readonly signal: AbortSignal;
}

async function write(source: ExportSource, { options, place, signal }: Writing): Promise<void> {
  const { target, request, isFollowed, isJson } = options;
  if (target.kind === 'stdout' || place === null) {
    const { body } = await openExport(source, { ...request, signal });
    return pipeline(body, process.stdout, { end: false });
  }
  if (target.kind === 'file') {
    const { rows, bytes, sha256 } = await exportFile(source, {
      ...request,
      place,
      path: target.name,
      signal,
    });
    printAnswer(
      `${isJson ? JSON.stringify({ rows, bytes, sha256 }) : `${rows} rows, ${bytes} bytes, sha256 ${sha256}`}\n`,
    );
    return;
  }
  const progress = createProgress(`exported rows of ${request.table}`);
  const print = (report: ExportReport) => {
    const { written, kept, rows, bytes } = report;
    const text = `${written} files written, ${kept} kept: ${rows} rows, ${bytes} bytes`;
    printAnswer(`${isJson ? JSON.stringify(report) : text}\n`);
  };
  const onProgress: ExportRequest['onProgress'] = (done, total, note) => progress.update(done, total, note);
  const asked = { ...request, place, signal, onProgress };
  try {
    if (isFollowed) await followExport(source, { ...asked, onPass: print });
    else print(await exportTable(source, { ...asked, onlyComplete: false }));
  } finally {
    progress.stop();
  }
}
