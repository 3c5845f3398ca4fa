import { type OpenLog, openLog } from '../../../src/cli/compose/data-directory.ts';
import { type IndexSettings, prepareIndex } from '../../../src/cli/compose/index-run.ts';
import { openSessionStore } from '../../../src/cli/compose/store.ts';
import type { Session } from '../../../src/cli/session.ts';
import type { TableProjection } from '../../../src/engine/projection/projection.ts';
import type { StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { resolveSettings } from '../../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../../src/platform/config/settings.ts';
import { Metrics } from '../../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';
import { INDEX_SETTINGS } from '../../helpers/index-settings.ts';
import { quietLog } from '../../helpers/replay-store.ts';

const STORE = resolveSettings(namesIn('store', 's3'), { clickhouseMemoryMb: '2048' }, {});

/** A data directory that is open in this process: its log, and its store, whose server ends with `work`. */
export async function inDirectory<T>(
  directory: string,
  work: (log: OpenLog, client: StoreClient, session: Session) => Promise<T>,
): Promise<T> {
  const shutdown = new Shutdown();
  const session = {
    log: quietLog,
    shutdown,
    signal: shutdown.signal,
    owner: `simulation:${process.pid}`,
    metrics: new Metrics(),
  };
  try {
    const log = await openLog(directory, session);
    return await work(log, await openSessionStore(directory, STORE, session), session);
  } finally {
    await shutdown.close(() => {});
  }
}

/** Fills a new data directory, undisturbed, by the decoder that is given. */
export function indexDirectory(
  directory: string,
  code: TableProjection,
  settings: Pick<IndexSettings, 'source'> & Partial<IndexSettings>,
): Promise<void> {
  return inDirectory(directory, async (log, client, session) => {
    const usual = { ...INDEX_SETTINGS, verifyLevel: 'tx', decodeWorkers: 0, keepLog: true } as const;
    const prepared = await prepareIndex(
      { log, client },
      { ...usual, ...settings, pipelines: [code] },
      session,
    );
    await prepared.run({ onCapture() {}, onDecode() {} });
  });
}
