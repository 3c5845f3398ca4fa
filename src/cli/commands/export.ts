import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { type ExportReport, type ExportRequest, exportFolder } from '../../api/export/export-folder.ts';
import { EXPORT_FORMATS } from '../../api/export/export-format.ts';
import type { ExportSource } from '../../api/export/export-source.ts';
import { openExport } from '../../api/export/export-stream.ts';
import { followExport } from '../../api/export/follow-export.ts';
import { writeFile } from '../../api/export/write-file.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog } from '../compose/data-directory.ts';
import { openExportSource } from '../compose/export-source.ts';
import { EXIT } from '../exit-codes.ts';
import { type ExportOptions, readExportOptions } from '../export-options.ts';
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
    .requiredOption('--out <PATH>', 'folder, file that ends with a format (blocks.csv), or - for stdout')
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
  const run = options.isFollowed ? runService : runSession;
  await run(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const source = await openExportSource(log, settings, session);
    await write(source, options, session.signal);
  });
  return EXIT.ok;
}

async function write(source: ExportSource, options: ExportOptions, signal: AbortSignal): Promise<void> {
  const { target, request, isFollowed, isJson } = options;
  if (target.kind !== 'folder') {
    const { body, rows } = await openExport(source, { ...request, signal });
    if (target.kind === 'stdout') return pipeline(body, process.stdout, { end: false });
    const { bytes, sha256 } = await writeFile(resolve(target.path), body);
    printAnswer(
      `${isJson ? JSON.stringify({ rows, bytes, sha256 }) : `${rows} rows, ${bytes} bytes, sha256 ${sha256}`}\n`,
    );
    return;
  }
  const progress = createProgress(`exported rows of ${request.table}`);
  const folder = resolve(target.path);
  const print = (report: ExportReport) => {
    const { written, kept, rows, bytes } = report;
    const text = `${written} files written, ${kept} kept: ${rows} rows, ${bytes} bytes`;
    printAnswer(`${isJson ? JSON.stringify(report) : text}\n`);
  };
  const onProgress: ExportRequest['onProgress'] = (done, total, note) => progress.update(done, total, note);
  const asked = { ...request, folder, signal, onProgress };
  try {
    if (isFollowed) await followExport(source, { ...asked, onPass: print });
    else print(await exportFolder(source, { ...asked, onlyComplete: false }));
  } finally {
    progress.stop();
  }
}
