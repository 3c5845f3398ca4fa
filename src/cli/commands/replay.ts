import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { INPUT } from '../../../pipelines/projections.ts';
import { type OpenArchive, openBlockArchive } from '../../capture/block-archive.ts';
import { planReplay, type ReplayPlan } from '../../engine/replay/plan.ts';
import { pruneVersions } from '../../engine/replay/prune.ts';
import { type ReplayOutcome, type ReplayWatch, runReplay, runRollback } from '../../engine/replay/run.ts';
import { earlierVersion } from '../../engine/replay/switch.ts';
import { replayPlanText } from '../../engine/replay/text.ts';
import { differenceText } from '../../engine/replay/version-difference.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer, printNotice } from '../../platform/observability/terminal.ts';
import { fileReading } from '../compose/file-reading.ts';
import { projectionNamed } from '../compose/projections.ts';
import { openReplayParts } from '../compose/replay-parts.ts';
import { EXIT } from '../exit-codes.ts';
import { projectionArgument } from '../projection-argument.ts';
import { runSession, type Session } from '../session.ts';
import { REPLAY_SETTINGS, STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { parsePosition, rangeOptions, replayLanes } from './replay-options.ts';

type Flags = Record<string, unknown>;
type Exit = (code: number) => void;

/** `tonhouse replay PROJECTION | rollback | prune`. */
export function replayCommand(command: Command, exit: Exit): void {
  command
    .addArgument(projectionArgument('<PROJECTION>', 'projection to build'))
    .addOption(new Option('--dry-run', 'show the plan and change nothing'))
    .addOption(new Option('--yes', 'serve the new version without asking'))
    .addOption(
      new Option(
        '--source <SOURCE>',
        'source of blocks that store and log lack, archive:PATH or files:PATH; compares the others',
      ),
    )
    .action(async (projection: string, flags: Flags) => exit(await replay(projection, flags)));
  addSettings(rangeOptions(command), REPLAY_SETTINGS);
  const rollback = new Command('rollback')
    .description('serve the previous version again')
    .addArgument(projectionArgument('[PROJECTION]', 'projection').default(INPUT.name))
    .action(async (name: string, _flags: Flags, self: Command) =>
      exit(await rollBack(name, self.optsWithGlobals())),
    );
  const prune = new Command('prune')
    .description('drop all versions that are not served')
    .addArgument(projectionArgument('[PROJECTION]', 'projection').default(INPUT.name))
    .action(async (name: string, _flags: Flags, self: Command) =>
      exit(await pruneAll(name, self.optsWithGlobals())),
    );
  command.addCommand(addSettings(rollback, REPLAY_SETTINGS).exitOverride());
  command.addCommand(addSettings(prune, STORE_SETTINGS).exitOverride());
}

async function replay(projection: string, flags: Flags): Promise<number> {
  const settings = { ...resolveSettings(REPLAY_SETTINGS, flags), lanes: replayLanes(flags) };
  const range = { from: parsePosition(flags, 'fromSeqno'), to: parsePosition(flags, 'toSeqno') };
  const named = projectionNamed(projection, settings);
  return runSession(flags, async (session) => {
    const parts = await openReplayParts(settings, session, named);
    if (flags.dryRun) {
      printAnswer(replayPlanText(await planReplay(parts, range)));
      return EXIT.ok;
    }
    const archive = flags.source === undefined ? null : await openArchive(String(flags.source), session);
    const watch = replayWatch();
    const accept = (outcome: Omit<ReplayOutcome, 'switched'>) => {
      watch.stop();
      printAnswer(differenceText(outcome));
      return accepts(flags, session);
    };
    try {
      const { plan, switched } = await runReplay(
        { parts, settings, scope: session, watch },
        { range, archive, accept },
      );
      printAnswer(
        switched === null
          ? `version ${plan.next} is whole and not served; with --yes the same command serves it\n`
          : `version ${plan.next} is served; \`tonhouse replay rollback\` goes back to ${plan.served}\n`,
      );
      return switched === null ? EXIT.failed : EXIT.ok;
    } finally {
      watch.stop();
    }
  });
}

async function openArchive(spec: string, session: Session): Promise<OpenArchive> {
  const archive = await openBlockArchive(spec, fileReading(session));
  session.shutdown.add('archive', () => archive.close());
  return archive;
}

/** True if the built version shall be served: by the flag, or by the operator's answer at the terminal. */
async function accepts(flags: Flags, { signal }: Session): Promise<boolean> {
  if (flags.yes) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('serve this version? [y/N] ', { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** Blocks decoded of all, with the rate and the time left. */
export function replayWatch(): ReplayWatch & { stop(): void } {
  const progress = createProgress('replayed blocks');
  const done = { blocks: 0, transactions: 0, total: 0, since: 0 };
  let isStopped = false;
  const stop = () => {
    if (!isStopped) progress.stop();
    isStopped = true;
  };
  return {
    onPlan: (plan: ReplayPlan) => {
      printNotice(replayPlanText(plan));
      done.total = plan.size.blocks;
      done.since = performance.now();
    },
    onBatch: ({ blocks, transactions }) => {
      done.blocks += blocks;
      done.transactions += transactions;
      const seconds = (performance.now() - done.since) / 1000;
      const left = (seconds / Math.max(1, done.blocks)) * Math.max(0, done.total - done.blocks);
      const rate = Math.round(done.transactions / Math.max(0.001, seconds));
      progress.update(
        done.blocks,
        Math.max(done.total, done.blocks),
        `${rate} tx/s, ${Math.ceil(left)} s left`,
      );
    },
    onStep: (text) => {
      stop();
      printNotice(`${text}\n`);
    },
    stop,
  };
}

async function rollBack(name: string, flags: Flags): Promise<number> {
  const settings = { ...resolveSettings(REPLAY_SETTINGS, flags), lanes: replayLanes(flags) };
  const projection = projectionNamed(name, settings);
  return runSession(flags, async (session) => {
    const parts = await openReplayParts(settings, session, projection);
    const version = await earlierVersion(parts);
    await runRollback(parts, settings, version, session);
    printAnswer(`version ${version} is served\n`);
    return EXIT.ok;
  });
}

async function pruneAll(name: string, flags: Flags): Promise<number> {
  const settings = resolveSettings([...STORE_SETTINGS, 'sessionMs'], flags);
  const projection = projectionNamed(name, settings);
  return runSession(flags, async (session) => {
    const parts = await openReplayParts(settings, session, projection);
    const dropped = await pruneVersions(parts, settings.sessionMs, session);
    const lines = dropped.map(
      ({ version, freedBytes }) => `version ${version} dropped, ${Math.round(freedBytes / 2 ** 20)} MiB\n`,
    );
    printAnswer(lines.join(''));
    return EXIT.ok;
  });
}
