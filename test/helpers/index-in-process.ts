import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { openLog } from '../../src/cli/compose/data-directory.ts';
import { type IndexSettings, prepareIndex } from '../../src/cli/compose/index-run.ts';
import { openDeadLetters } from '../../src/engine/dead-letters/dead-letter-list.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { type IndexSummary, indexSummary } from '../../src/projections/base/index-summary.ts';
import { INDEX_SETTINGS } from './index-settings.ts';

export interface InProcessIndex {
  readonly identity: LogIdentity;
  readonly database: string;
  readonly summary: IndexSummary;
}

const noLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs the whole way, capture to store, as `tonhouse index` does, on a store that is there. The log is temporary. */
export async function indexInProcess(
  client: StoreClient,
  settings: Pick<IndexSettings, 'source'> & Partial<IndexSettings>,
): Promise<InProcessIndex> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const shutdown = new Shutdown();
  try {
    const session = {
      log: noLog,
      shutdown,
      signal: shutdown.signal,
      owner: `test:${process.pid}`,
      metrics: new Metrics(),
    };
    const log = await openLog(directory, session);
    const prepared = await prepareIndex({ log, client }, { ...INDEX_SETTINGS, ...settings }, session);
    await prepared.run({ onCapture() {}, onDecode() {} });
    const database = getDatabase(prepared.identity, BASE);
    return {
      identity: prepared.identity,
      database,
      summary: await indexSummary(client, database, {
        dead_letters: (await openDeadLetters(log.bus)).length,
        seconds: 0,
      }),
    };
  } finally {
    await shutdown.close(() => {});
    rmSync(directory, { recursive: true, force: true });
  }
}
