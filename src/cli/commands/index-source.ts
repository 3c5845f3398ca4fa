import type { Command } from 'commander';
import { BASE } from '../../../pipelines/base.ts';
import { openDeadLetters } from '../../engine/dead-letters/dead-letter-list.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import type { LogIdentity } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { patiently } from '../../platform/clickhouse/patience.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { createProgress } from '../../platform/observability/progress.ts';
import { indexSummary } from '../../projections/base/index-summary.ts';
import { type OpenLog, openLog } from '../compose/data-directory.ts';
import { type IndexSettings, type IndexWatch, prepareIndex } from '../compose/index-run.ts';
import { readStartInput, type StartInput } from '../compose/start-input.ts';
import { openSessionStore } from '../compose/store.ts';
import { storePatience } from '../compose/store-patience.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session, wasStopped } from '../session.ts';
import { INDEX_SETTINGS, LOCALNET_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

/** `tonhouse index SOURCE`: indexes a finite source, prints what the data directory then holds. */
export function indexCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('<SOURCE>', 'archive:PATH or files:PATH')
    .action(async (source: string, flags: Record<string, unknown>) => exit(await index(source, flags)));
  addSettings(command, INDEX_SETTINGS);
}

async function index(source: string, flags: Record<string, unknown>): Promise<number> {
  const settings = { ...resolveSettings([...INDEX_SETTINGS, ...LOCALNET_SETTINGS], flags), source };
  const started = performance.now();
  return runSession(flags, async (session) => {
    const input = await readStartInput(settings.data, settings, session);
    const log = await openLog(settings.data, session, settings);
    const client = await openSessionStore(log.directory, settings, session);
    const identity = await runIndex(log, client, settings, session, input);
    if (!identity) {
      session.log.info({}, 'stopped before the end; the same command goes on from here');
      return EXIT.failed;
    }
    const seconds = (performance.now() - started) / 1000;
    const summary = await patiently(
      async () =>
        indexSummary(client, await servedDatabase(client, identity, BASE), {
          dead_letters: (await openDeadLetters(log.bus)).length,
          seconds,
        }),
      storePatience(session),
    );
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    return summary.dead_letters === 0 ? EXIT.ok : EXIT.failed;
  });
}

/** The log's identity when everything is indexed; null when the session was asked to end before. */
async function runIndex(
  log: OpenLog,
  client: StoreClient,
  settings: IndexSettings,
  session: Session,
  input: StartInput,
): Promise<LogIdentity | null> {
  const progress = createProgress('indexed blocks');
  try {
    const prepared = await prepareIndex(log, client, settings, session, input);
    await prepared.run(progressWatch(progress));
    return session.signal.aborted ? null : prepared.identity;
  } catch (error) {
    if (wasStopped(session, error)) return null;
    throw error;
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
