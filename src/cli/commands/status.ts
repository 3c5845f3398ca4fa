import type { Command } from 'commander';
import { INPUT, projectionsWith } from '../../../pipelines/projections.ts';
import { liveNoteLines, readLiveNote } from '../../capture/liteserver/live-note.ts';
import { statusReport } from '../../engine/status/status-report.ts';
import { statusText } from '../../engine/status/status-text.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { getLookUpFolder } from '../compose/lookup/indexed-projections.ts';
import { lookUpLines, readLookUpReport } from '../compose/lookup/look-up-report.ts';
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
  addSettings(command, SETTINGS);
}

const SETTINGS = [...STORE_SETTINGS, 'lookupIndex'] as const;

async function status(flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
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
    const lookUps = readLookUpReport(getLookUpFolder(log.directory, settings));
    const notes = [...liveNoteLines(live).map(printable), ...lookUpLines(lookUps)];
    printAnswer(
      flags.json
        ? `${JSON.stringify({ ...report, live, lookup_index: lookUps })}\n`
        : [...notes, statusText(report)].join('\n'),
    );
    return EXIT.ok;
  });
}
