import type { Command } from 'commander';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { RemainingTime } from '../../platform/observability/remaining-time.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { joinIndexes } from '../compose/load/join-indexes.ts';
import { chosenProjections } from '../compose/projections.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { DECODE_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...STORE_SETTINGS, ...DECODE_SETTINGS] as const;

/** `tonhouse join DIRECTORY…`: joins indexes of later ranges into the index of `--data`; prints what it joined. */
export function joinCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('<DIRECTORIES...>', 'data directories of the later ranges')
    .action(async (directories: string[], flags: Record<string, unknown>) =>
      exit(await run(directories, flags)),
    );
  addSettings(command, SETTINGS);
}

async function run(directories: readonly string[], flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(SETTINGS, flags);
  chosenProjections(settings.projections, settings);
  return runSession(flags, async (session) => {
    const progress = createProgress('joined masterchain blocks');
    const files = createProgress('sealed files');
    const remaining = new RemainingTime();
    try {
      const joined = await joinIndexes(directories, settings, session, {
        onFiles: (done, total, name) => {
          files.update(done, total, name);
          if (done === total) files.stop();
        },
        onSteps: (done, total, name) =>
          progress.update(done, total, `${name} ${remaining.describe(done, total)}`),
      });
      progress.stop();
      printAnswer(`${JSON.stringify({ joined })}\n`);
      return EXIT.ok;
    } finally {
      files.stop();
      progress.stop();
    }
  });
}
