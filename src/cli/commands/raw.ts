import { Command } from 'commander';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { NoSealingError } from '../compose/log/no-sealing-error.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { LOG_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse raw move`: moves the sealed files of the log to another folder, or to S3. */
export function rawCommand(command: Command, exit: (code: number) => void): void {
  const move = new Command('move')
    .description(
      'move the sealed files of the log to a folder, which may be on another disk, or to S3; `log` moves them back',
    )
    .requiredOption('--to <PLACE>', 'folder or s3://BUCKET/PREFIX of the files; `log`: the folder of the log')
    .option('--json', 'print one JSON object')
    .action(async (flags: Flags) => exit(await moveFiles(flags)));
  command.addCommand(addSettings(move, LOG_SETTINGS).exitOverride());
}

async function moveFiles(flags: Flags): Promise<number> {
  const settings = resolveSettings(LOG_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    await requireIdentity(log);
    if (!log.rawMover) throw new NoSealingError();
    const progress = createProgress('files');
    const moving = log.rawMover.move(String(flags.to), {
      signal: session.signal,
      onProgress: (done, total, note) => progress.update(done, total, note),
    });
    const report = await moving.finally(() => progress.stop());
    const megabytes = (report.bytes / 2 ** 20).toFixed(1);
    printAnswer(
      flags.json
        ? `${JSON.stringify(report)}\n`
        : `${report.files} files, ${megabytes} MiB moved to ${report.folder}\n`,
    );
    return EXIT.ok;
  });
}
