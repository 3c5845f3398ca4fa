import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { BASE } from '../../../pipelines/base.ts';
import { prepareIndex } from '../../../src/cli/compose/index-run.ts';
import { openDeadLetters } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import { getDatabase } from '../../../src/engine/versions/version-names.ts';
import type { Bus } from '../../../src/log/port.ts';
import { AvroCodec } from '../../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../src/platform/avro/schema-files.ts';
import { Metrics } from '../../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../../src/platform/observability/shutdown.ts';
import { indexSummary } from '../../../src/projections/base/index-summary.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { temporaryLog } from '../../contract/log/temporary-log.ts';
import { startTestServer } from '../../helpers/clickhouse-server.ts';
import { INDEX_SETTINGS } from '../../helpers/index-settings.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { describeWithData } from '../../helpers/shared-data.ts';

const NETWORK = `test_private_a=${'a'.repeat(64)}:${'b'.repeat(64)}`;
const SETTINGS = {
  ...INDEX_SETTINGS,
  network: NETWORK,
  // Some epochs, lanes and batches, with the few blocks that there are.
  epochSize: 20,
  lanes: 3,
  verifyLevel: 'tx',
  batchRows: 50,
} as const;

const noLog = { debug() {}, info() {}, warn() {}, error() {} };

/** Checksums of every table of inserted rows, after the shared chain went through `bus`. */
async function picture(bus: Bus, source: string): Promise<Record<string, string>> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const server = await startTestServer();
  const shutdown = new Shutdown();
  try {
    const session = {
      log: noLog,
      shutdown,
      signal: shutdown.signal,
      owner: `test:${process.pid}`,
      metrics: new Metrics(),
    };
    const codec = new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../../schemas')));
    const prepared = await prepareIndex(
      { log: { directory, bus, codec }, client: server.client },
      { ...SETTINGS, source },
      session,
    );
    await prepared.run({ onCapture() {}, onDecode() {} });
    const db = getDatabase(prepared.identity, BASE);
    const run = { dead_letters: (await openDeadLetters(bus)).length, seconds: 0 };
    const { seconds: _, ...summary } = await indexSummary(server.client, db, run);
    const { rows: tables } = await server.client.queryRows<[string]>(
      `SELECT name FROM system.tables WHERE database = {db:String} AND engine = 'MergeTree' ORDER BY name`,
      { route: 'test', params: { db } },
    );
    const found: Record<string, string> = { summary: JSON.stringify(summary) };
    for (const [table] of tables) {
      const { rows } = await server.client.queryRows<[string, string]>(
        `SELECT count(), sum(sipHash64(*)) FROM {db:Identifier}.{table:Identifier}`,
        { route: 'test', params: { db, table } },
      );
      found[table] = String(rows[0]);
    }
    return found;
  } finally {
    await shutdown.close(() => {});
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await describeWithKafka('the whole way through Kafka', (brokers) => {
  describeWithData('with real blocks', (data) => {
    it('leaves the same rows as through the embedded log, and no lag', async () => {
      const source = `files:${data}/blocks/private-a`;
      const embedded = await temporaryLog();
      const kafka = await kafkaLog(brokers());
      try {
        const expected = await picture(await embedded.open(), source);
        const bus = await kafka.open();
        const found = await picture(bus, source);
        expect(Object.keys(found).length).toBeGreaterThan(5);
        expect(found).toEqual(expected);
        for (const { committed, end } of await bus.lag()) expect(committed).toBe(end);
      } finally {
        await embedded.dispose();
        await kafka.dispose();
      }
    });
  });
});
