/**
 * A process that drops raw blocks of old epochs and kills itself after a number of steps. Arguments: connection of the
 * store as JSON, data directory, newest epochs that stay, steps (0: it does everything). Prints each step.
 */
import { BASE } from '../../pipelines/base.ts';
import { openLog, requireIdentity } from '../../src/cli/compose/data-directory.ts';
import { dropSealedRecords } from '../../src/engine/retention/drop-records.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { quietLog } from '../helpers/replay-store.ts';

const [connection = '', directory = '', hot = '', steps = ''] = process.argv.slice(2);
const shutdown = new Shutdown();
const { signal } = shutdown;
const session = { log: quietLog, shutdown, signal, owner: 'dropping', metrics: new Metrics() };
const log = await openLog(directory, session);
const identity = await requireIdentity(log);
const client = createStoreClient(JSON.parse(connection));
const parts = { ...log, client, identity, owner: 'dropping', log: quietLog, projection: BASE };
let left = Number(steps);
for await (const { step } of dropSealedRecords(parts, Number(hot), signal)) {
  process.stdout.write(`${step}\n`);
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
}
await client.close();
await shutdown.close(() => {});
