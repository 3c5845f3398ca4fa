import type { Command } from 'commander';
import { runDiff } from '../../engine/replay/run.ts';
import { differenceText } from '../../engine/replay/version-difference.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { projectionNamed } from '../compose/projections.ts';
import { openReplayParts } from '../compose/replay-parts.ts';
import { EXIT } from '../exit-codes.ts';
import { projectionArgument } from '../projection-argument.ts';
import { runSession } from '../session.ts';
import { REPLAY_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { replayWatch } from './replay.ts';
import { parsePosition, rangeOptions, replayLanes } from './replay-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse diff PROJECTION`: compares this code's output with the stored rows; exit code 1 if rows differ. */
export function diffCommand(command: Command, exit: (code: number) => void): void {
  command
    .addArgument(projectionArgument('<PROJECTION>', 'projection to compare'))
    .option('--json', 'print one JSON object')
    .action(async (projection: string, flags: Flags) => exit(await diff(projection, flags)));
  addSettings(rangeOptions(command), REPLAY_SETTINGS);
}

async function diff(projection: string, flags: Flags): Promise<number> {
  const settings = { ...resolveSettings(REPLAY_SETTINGS, flags), lanes: replayLanes(flags) };
  const range = { from: parsePosition(flags, 'fromSeqno'), to: parsePosition(flags, 'toSeqno') };
  const named = projectionNamed(projection, settings);
  return runSession(flags, async (session) => {
    const parts = await openReplayParts(settings, session, named);
    const watch = replayWatch();
    try {
      const { plan, schema, changes } = await runDiff({ parts, settings, scope: session, watch }, { range });
      watch.stop();
      const report = {
        projection,
        served: plan.served,
        ranges: plan.ranges,
        size: plan.size,
        schema,
        changes,
      };
      printAnswer(flags.json ? `${JSON.stringify(report)}\n` : differenceText({ schema, changes }));
      return changes.length === 0 ? EXIT.ok : EXIT.failed;
    } finally {
      watch.stop();
    }
  });
}
