import type { Command } from 'commander';
import { INPUT, projectionsWith } from '../../../pipelines/projections.ts';
import { liveNoteLines, readLiveNote } from '../../capture/liteserver/live-note.ts';
import { statusReport } from '../../engine/status/status-report.ts';
import { statusText } from '../../engine/status/status-text.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { openReadStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

/** `tonhouse status`: head, lag of each stage and lane, dead letters, sizes. Changes nothing. */
export function statusCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', 'print one JSON object')
    .action(async (flags: Record<string, unknown>) => exit(await status(flags)));
  addSettings(command, STORE_SETTINGS);
}

async function status(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openReadStore(log.directory, settings, session);
    const report = await statusReport(
      { ...log, client, identity },
      projectionsWith(settings.actionRules),
      INPUT,
    );
    const live = readLiveNote(log.directory);
    printAnswer(
      flags.json
        ? `${JSON.stringify({ ...report, live })}\n`
        : [...liveNoteLines(live).map(printable), statusText(report)].join('\n'),
    );
    return EXIT.ok;
  });
}
