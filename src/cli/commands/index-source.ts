import type { Command } from 'commander';
import { INPUT } from '../../../pipelines/projections.ts';
import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../log/port.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { indexSummary } from '../compose/block-index.ts';
import { openLog } from '../compose/data-directory.ts';
import { type IndexParts, type IndexSettings, type IndexWatch, prepareIndex } from '../compose/index-run.ts';
import { showMetrics } from '../compose/metrics.ts';
import { chosenProjections } from '../compose/projections.ts';
import { readStartInput } from '../compose/start-input.ts';
import { openSessionStore } from '../compose/store.ts';
import { storeRetry } from '../compose/store-retry.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session } from '../session.ts';
import { INDEX_SETTINGS, LOCALNET_SETTINGS, METRICS_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

/** `tonhouse index SOURCE`: indexes a finite source, prints what the data directory then holds. */
export function indexCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('<SOURCE>', 'archive:PATH or files:PATH')
    .action(async (source: string, flags: Record<string, unknown>) => exit(await index(source, flags)));
  addSettings(command, [...INDEX_SETTINGS, ...METRICS_SETTINGS]);
}

async function index(source: string, flags: Record<string, unknown>): Promise<number> {
  const settings = {
    ...resolveSettings([...INDEX_SETTINGS, ...METRICS_SETTINGS, ...LOCALNET_SETTINGS], flags),
    source,
  };
  chosenProjections(settings.projections, settings);
  const started = performance.now();
  return runSession(flags, async (session) => {
    const input = await readStartInput(settings.data, settings, session);
    const log = await openLog(settings.data, session, settings);
    await showMetrics(log.bus, settings, session);
    const client = await openSessionStore(log.directory, settings, session);
    const identity = await runIndex({ log, client, input }, settings, session);
    const seconds = (performance.now() - started) / 1000;
    const summary = await retryStore(
      async () =>
        indexSummary(client, await servedDatabase(client, identity, INPUT), {
          dead_letters: await new DeadLetterCount(log.bus).read(),
          seconds,
        }),
      storeRetry(session),
    );
    printAnswer(`${JSON.stringify(summary)}\n`);
    return summary.dead_letters === 0 ? EXIT.ok : EXIT.failed;
  });
}

/** Indexes everything; resolves to the log's identity. Rejects with the signal's reason after a stop. */
async function runIndex(parts: IndexParts, settings: IndexSettings, session: Session): Promise<LogIdentity> {
  const progress = createProgress('indexed blocks');
  try {
    const prepared = await prepareIndex(parts, settings, session);
    await prepared.run(progressWatch(progress));
    session.signal.throwIfAborted();
    return prepared.identity;
  } finally {
    progress.stop();
  }
}

/** Shows decoded blocks against what the source announced. */
export function progressWatch(progress: ReturnType<typeof createProgress>): IndexWatch {
  let blocks = 0;
  let transactions = 0;
  let total: number | null = null;
  let captured = 0;
  return {
    onCapture(count, announced) {
      captured = count;
      total = announced;
    },
    onDecode(counts, mcSeqno) {
      blocks += counts.blocks;
      transactions += counts.transactions;
      const end = Math.max(total ?? 0, captured, blocks);
      progress.update(blocks, end, `transactions ${transactions}, masterchain ${mcSeqno}`);
    },
  };
}
