import type { Command } from 'commander';
import { INPUT } from '../../../pipelines/projections.ts';
import { DeadLetterCount } from '../../engine/dead-letters/dead-letter-count.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../log/port.ts';
import { retryStore } from '../../platform/clickhouse/retry-store.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress, type Progress } from '../../platform/observability/progress.ts';
import { RemainingTime } from '../../platform/observability/remaining-time.ts';
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
import { BULK_SETTINGS, INDEX_SETTINGS, LOCALNET_SETTINGS, METRICS_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const SETTINGS = [...INDEX_SETTINGS, ...BULK_SETTINGS, ...METRICS_SETTINGS] as const;

/** `tonhouse index SOURCE`: indexes a finite source, prints what the data directory then holds. */
export function indexCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('<SOURCE>', 'archive:PATH or files:PATH')
    .action(async (source: string, flags: Record<string, unknown>) => exit(await index(source, flags)));
  addSettings(command, SETTINGS);
}

async function index(source: string, flags: Record<string, unknown>): Promise<number> {
  const settings = {
    ...resolveSettings([...SETTINGS, ...LOCALNET_SETTINGS], flags),
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
  const merging = createProgress('merged MB');
  try {
    const prepared = await prepareIndex(parts, settings, session);
    await prepared.run({ ...progressWatch(progress), onMerge: mergeWatch(progress, merging) });
    session.signal.throwIfAborted();
    return prepared.identity;
  } finally {
    progress.stop();
    merging.stop();
  }
}

/** Shows the merge of a bulk load, after its blocks. */
function mergeWatch(blocks: Progress, merging: Progress): NonNullable<IndexWatch['onMerge']> {
  const remaining = new RemainingTime();
  return ({ done, total, table }) => {
    blocks.stop();
    const megabytes = (bytes: number) => Math.round(bytes / 1e6);
    merging.update(megabytes(done), megabytes(total), `${table} ${remaining.describe(done, total)}`);
  };
}

/** Shows decoded blocks against what the source announced. */
export function progressWatch(progress: Progress): IndexWatch {
  let blocks = 0;
  let transactions = 0;
  let total: number | null = null;
  let captured = 0;
  let slowest = '';
  const remaining = new RemainingTime();
  return {
    onPosition({ projection, mcSeqno }, last) {
      slowest = `, ${projection} at ${mcSeqno}`;
      if (last !== null && mcSeqno > 0) slowest += ` of ${last} ${remaining.describe(mcSeqno, last)}`;
    },
    onCapture(count, announced) {
      captured = count;
      total = announced;
    },
    onDecode(counts, mcSeqno) {
      blocks += counts.blocks;
      transactions += counts.transactions;
      const end = Math.max(total ?? 0, captured, blocks);
      progress.update(blocks, end, `transactions ${transactions}, masterchain ${mcSeqno}${slowest}`);
    },
  };
}
