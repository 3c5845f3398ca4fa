import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog } from '../../src/cli/wiring/data-directory.ts';
import { type IndexSettings, prepareIndex } from '../../src/cli/wiring/index-run.ts';
import { type IndexSummary, indexSummary } from '../../src/cli/wiring/index-summary.ts';
import { baseDatabase } from '../../src/cli/wiring/projection.ts';
import type { LogIdentity } from '../../src/platform/bus/port.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
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
    const session = { log: noLog, shutdown, signal: shutdown.signal, owner: `test:${process.pid}` };
    const log = await openLog(directory, session);
    const prepared = await prepareIndex(log, client, { ...INDEX_SETTINGS, ...settings }, session);
    await prepared.run({ onCapture() {}, onDecode() {} });
    const database = baseDatabase(prepared.identity);
    return {
      identity: prepared.identity,
      database,
      summary: await indexSummary(client, database, log.bus, 0),
    };
  } finally {
    await shutdown.close(() => {});
    rmSync(directory, { recursive: true, force: true });
  }
}
