import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DECODE } from '../../../pipelines/decode.ts';
import { openDeadLetters } from '../../../src/cli/wiring/dead-letter-list.ts';
import { baseDatabase } from '../../../src/cli/wiring/projection.ts';
import { openEmbeddedBus } from '../../../src/platform/bus/embedded/embedded-bus.ts';
import type { Bus, LogIdentity } from '../../../src/platform/bus/port.ts';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import { openStore } from '../../../src/platform/clickhouse/embedded/open-store.ts';

/** What a data directory holds, as facts that two equal directories share whatever happened to them, by name. */
export type DataPicture = Readonly<Record<string, string>>;

/** The rows that readers see of a table whose engine merges rows; of all other tables they see every row. */
const READ_AS: Readonly<Record<string, string>> = {
  accounts_latest: 'SELECT * FROM {table} ORDER BY lt DESC LIMIT 1 BY account, workchain',
  balances_ranked:
    'SELECT balance, account, workchain, lt, sum(net) AS net FROM {table} GROUP BY ALL HAVING net != 0',
};

const route = 'simulation';
const MEMORY_BYTES = 2 * 2 ** 30;
const SESSION_MS = 1_000;

/** Reads the picture of a directory that nobody works in any more. */
export async function dataPicture(directory: string): Promise<DataPicture> {
  const bus = await openEmbeddedBus({ directory: join(directory, 'log') });
  try {
    const identity = await bus.identity();
    if (!identity) throw new Error(`${directory} has no log`);
    return { ...(await logFacts(bus)), ...(await storeFacts(directory, identity)) };
  } finally {
    await bus.close();
  }
}

async function logFacts(bus: Bus): Promise<DataPicture> {
  const bounds = await bus.bounds(DECODE.topic);
  const ends = new Map(bounds.map(({ lane, next }) => [lane, next]));
  const behind = (await bus.lag())
    .filter(({ group }) => group === DECODE.group)
    .filter(({ lane, committed }) => committed !== ends.get(lane));
  return {
    'log: records': String(bounds.reduce((sum, { next }) => sum + next, 0)),
    'log: lanes not committed to their end': behind.map(({ lane }) => lane).join(' '),
    'log: batches left in the journal': String(await pendingBatches(bus, bounds.length)),
    'log: dead letters': String((await openDeadLetters(bus)).length),
  };
}

async function pendingBatches(bus: Bus, lanes: number): Promise<number> {
  const owner = `picture:${process.pid}`;
  const consumer = await bus.consumer({ ...DECODE, owner, sessionMs: SESSION_MS });
  try {
    for (;;) {
      const leases = await consumer.claim();
      if (leases.length === lanes) {
        const pending = await Promise.all(leases.map((lease) => consumer.pending(lease)));
        return pending.filter((entry) => entry !== null).length;
      }
      await sleep(SESSION_MS / 4);
    }
  } finally {
    await consumer.release();
  }
}

async function storeFacts(directory: string, identity: LogIdentity): Promise<DataPicture> {
  const store = await openStore({ directory: join(directory, 'clickhouse'), memoryLimitBytes: MEMORY_BYTES });
  const client = createStoreClient(store);
  try {
    const db = baseDatabase(identity);
    return { confirmed: await confirmedCover(client, db), ...(await tableFacts(client, db)) };
  } finally {
    await client.close();
    await store.stop();
  }
}

/** Count and two order-independent checksums of every table, over the text of all columns. */
async function tableFacts(client: StoreClient, db: string): Promise<DataPicture> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT name FROM system.tables WHERE database = {db:String} AND endsWith(engine, 'MergeTree') AND name != 'confirmed'
     ORDER BY name`,
    { route, params: { db } },
  );
  const facts: Record<string, string> = {};
  for (const [name] of rows) {
    const source = (READ_AS[name] ?? 'SELECT * FROM {table}').replace('{table}', `${db}.${name}`);
    const digest = await client.queryRows<string[]>(
      `SELECT count(), hex(sum(hash)), hex(groupBitXor(hash)) FROM
         (SELECT reinterpretAsUInt128(sipHash128(toString(tuple(*)))) AS hash FROM (${source}))`,
      { route, timeoutMs: 120_000 },
    );
    const [count, sum, xor] = digest.rows[0] ?? [];
    facts[name] = `${count} rows, sum ${sum}, xor ${xor}`;
  }
  return facts;
}

/** The confirmed ranges put together: one range where they follow each other, none of them twice. */
async function confirmedCover(client: StoreClient, db: string): Promise<string> {
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT DISTINCT first, last FROM ${db}.confirmed ORDER BY first, last`,
    { route },
  );
  const cover: [number, number][] = [];
  for (const [first, last] of rows) {
    const before = cover.at(-1);
    if (before && before[1] + 1 === first) before[1] = last;
    else cover.push([first, last]);
  }
  return cover.map(([first, last]) => `${first}…${last}`).join(' ');
}
