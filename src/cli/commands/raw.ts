import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { isBucket, moveSealed } from '../../log/sqlite/sealing/move-sealed.ts';
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
    if (!log.sealing) throw new NoSealingError();
    const home = join(log.directory, 'log', 'sealed');
    const to = toPlace(String(flags.to), home);
    const report = { folder: to, files: 0, bytes: 0 };
    const progress = createProgress('files');
    let total = 0;
    try {
      await moveSealed(home, to, {
        signal: session.signal,
        objectStore: settings,
        onPlan: (files) => {
          total = files;
        },
        onBytes: (name, done, bytes) =>
          progress.update(report.files, total, `${name} ${Math.floor((100 * done) / bytes)} %`),
        onStep({ step, name, bytes }) {
          if (step !== 'linked') return;
          report.files++;
          report.bytes += bytes;
          progress.update(report.files, total, name);
        },
      });
    } finally {
      progress.stop();
    }
    const megabytes = (report.bytes / 2 ** 20).toFixed(1);
    printAnswer(
      flags.json ? `${JSON.stringify(report)}\n` : `${report.files} files, ${megabytes} MiB moved to ${to}\n`,
    );
    return EXIT.ok;
  });
}

/** The place that `--to` names. */
function toPlace(to: string, home: string): string {
  if (to === 'log') return home;
  return isBucket(to) ? to : resolve(to);
}
