import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSink, type Sink } from '../../../src/engine/sink/sink.ts';
import { readConfirmed } from '../../../src/engine/watermark/confirmed-range.ts';
import { createStoreClient, type StoreClient } from '../../../src/platform/clickhouse/client.ts';
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../../src/platform/clickhouse/embedded/embedded-server.ts';
import { sampled } from '../../helpers/long-run.ts';
import {
  contents,
  createFixture,
  DEFINITION,
  fixtureRepairs,
  makeBatch,
  random,
  STEPS_PER_BATCH,
  TestJournal,
} from './sink-fixture.ts';

/** Each run takes the first, the long form takes all. The seed of a run that failed goes to the front. */
const SEEDS = [1, 2];
const KILLS_PER_SEED = 6;
const ROWS = 60_000;
const REFERENCE = 'kill_test_reference';

/** Made once: the same for every seed and for the reference. */
const batches = Array.from({ length: KILLS_PER_SEED }, (_, index) => makeBatch(index, ROWS));
const repairs = fixtureRepairs();
const directory = mkdtempSync(join(tmpdir(), 'tonhouse-kills-'));
let server: EmbeddedServer;
let client: StoreClient;
/** How long an undisturbed write takes at least, ms: kills fall anywhere within it. */
let writeMs = Number.POSITIVE_INFINITY;

async function startServer(): Promise<EmbeddedServer> {
  return startEmbeddedServer({ directory, memoryLimitBytes: 3 * 1024 ** 3 });
}

function sinkOf(store: StoreClient, database: string): Sink {
  return createSink({
    client: store,
    database,
    fences: `${database}.fences`,
    group: 'decode',
    definition: DEFINITION,
    repairs,
    backOffMs: 20,
  });
}

beforeAll(async () => {
  server = await startServer();
  client = createStoreClient(server);
  await createFixture(client, REFERENCE);
  const sink = sinkOf(client, REFERENCE);
  const journal = new TestJournal();
  for (let i = 0; i < KILLS_PER_SEED; i++) {
    const batch = batches[i]!;
    const begun = performance.now();
    await sink.write(batch, journal, new AbortController().signal);
    writeMs = Math.min(writeMs, performance.now() - begun);
  }
});

afterAll(async () => {
  await client.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Kills the server at a moment within the write, and starts it again at the same address. */
async function killAndRestart(delayMs: number): Promise<void> {
  await sleep(delayMs);
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  const { url } = server;
  server = await startServer();
  expect(server.url).toBe(url);
}

/** The writer lives on: its own retries find the server again. */
async function writeOver(sink: Sink, index: number, journal: TestJournal, delayMs: number): Promise<void> {
  const batch = batches[index]!;
  const killed = Promise.withResolvers<void>();
  journal.onBegin = () => {
    journal.onBegin = () => {};
    killAndRestart(delayMs).then(killed.resolve, killed.reject);
  };
  await Promise.all([sink.write(batch, journal, new AbortController().signal), killed.promise]);
}

/** The writer is gone too: another one finds the journalled range. */
async function writeAndLeave(
  sink: Sink,
  database: string,
  index: number,
  journal: TestJournal,
  delayMs: number,
): Promise<void> {
  const stop = new AbortController();
  const batch = batches[index]!;
  const killed = Promise.withResolvers<void>();
  journal.onBegin = () => {
    journal.onBegin = () => {};
    sleep(delayMs).then(() => stop.abort(new Error('the writer has ended')));
    killAndRestart(delayMs).then(killed.resolve, killed.reject);
  };
  await sink.write(batch, journal, stop.signal).catch(() => {});
  await killed.promise;
  if (!journal.pending) return;
  const successor = createStoreClient(server);
  const rebuild = async () => batches[index]!;
  await sinkOf(successor, database).recover(journal.pending, journal, rebuild, new AbortController().signal);
  await successor.close();
}

describe('the server is killed while batches are written', () => {
  it.each(sampled(SEEDS))(
    'every target ends as if nothing had happened (seed %i)',
    { timeout: 600_000 },
    async (seed) => {
      const database = `kill_test_seed_${seed}`;
      await createFixture(client, database);
      const next = random(seed);
      const journal = new TestJournal();
      const sink = sinkOf(client, database);
      for (let index = 0; index < KILLS_PER_SEED; index++) {
        const delayMs = next() * writeMs;
        if (index % 2 === 0) await writeOver(sink, index, journal, delayMs);
        else await writeAndLeave(sink, database, index, journal, delayMs);
        expect(journal.pending).toBeNull();
      }
      // Some kills must have met a batch half-way, or this test shows nothing.
      const attempts = journal.confirmed.map((entry) => entry.attempt);
      expect(Math.max(...attempts)).toBeGreaterThan(1);
      expect(await contents(client, database)).toEqual(await contents(client, REFERENCE));
      expect(await readConfirmed(client, database)).toEqual({
        first: 0,
        last: KILLS_PER_SEED * STEPS_PER_BATCH - 1,
      });
    },
  );
});
