/**
 * A process that only corrects rows, as each server does: `node correcting-process.ts FACTS WRITES DELAY_MS`. It kills itself
 * DELAY_MS after the write number WRITES of a correction was sent; WRITES 0: never.
 */
import { join, resolve } from 'node:path';
import { ACTIONS, LAKE } from '../../pipelines/projections.ts';
import { followCorrections } from '../../src/engine/corrections/follow-corrections.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import { createStoreClient, type StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { StoreClientOptions } from '../../src/platform/clickhouse/client-options.ts';

/** The log and the store of the test. */
export interface CorrectingFacts {
  readonly directory: string;
  readonly connection: StoreClientOptions;
  readonly identity: LogIdentity;
}

const WRITE = /^sink\/correct\/|^sink\/recount|^corrections\//;
/** A killed process's lease ends so soon. */
const SESSION_MS = 2_000;

const [facts = '', writes = '0', delayMs = '0'] = process.argv.slice(2);
const { directory, connection, identity } = JSON.parse(facts) as CorrectingFacts;
const bus = await openEmbeddedBus({ directory: join(directory, 'log') });
const client = createStoreClient(connection);
let left = Number(writes);

function note(route: string): void {
  if (!WRITE.test(route) || --left !== 0) return;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(delayMs));
}

const counted: StoreClient = {
  ...client,
  command: (sql, options) => {
    note(options.route);
    return client.command(sql, options);
  },
  insertNative: (table, bytes, options) => {
    note(options.route);
    return client.insertNative(table, bytes, options);
  },
};
const parts = {
  ...{ bus, identity, client: counted },
  codec: new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../schemas'))),
  owner: `correcting:${process.pid}`,
  log: { debug() {}, info() {}, warn() {}, error() {} },
};
// Pauses of background work do not keep a process alive.
setInterval(() => {}, 60_000);
await Promise.all(
  [ACTIONS, LAKE].map((projection) =>
    followCorrections({ ...parts, projection }, { sessionMs: SESSION_MS }, new AbortController().signal),
  ),
);
