import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACTIVITY } from '../../pipelines/activity.ts';
import { BASE } from '../../pipelines/base.ts';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { type OpenLog, openLog } from '../../src/cli/compose/data-directory.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { retryDeadLetters } from '../../src/engine/dead-letter-retry/retry-tables.ts';
import { openDeadLetters } from '../../src/engine/dead-letters/dead-letter-list.ts';
import type { ChunkDecoder } from '../../src/engine/decoding/chunk.ts';
import type { Failure } from '../../src/engine/decoding/failure.ts';
import { startDecoder } from '../../src/engine/decoding/start-decoder.ts';
import type { EngineParts } from '../../src/engine/engine-parts.ts';
import { tableMember } from '../../src/engine/lanes/lane-options.ts';
import { runMember } from '../../src/engine/lanes/run-member.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import { Metrics } from '../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { readIndexFacts } from '../../src/projections/base/verify/index-facts.ts';
import { runVerify } from '../../src/projections/base/verify/verify-stage.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const SETTINGS = { verifyLevel: 'tx', batchRows: 100, batchMs: 0, sessionMs: 5_000 } as const;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const never = new AbortController().signal;

/** In the middle of the chain, with transactions and messages. */
const VICTIM = '(-1,8000000000000000,50)';

/** A decoder that does not know the victim yet. */
function withoutVictim(real: ChunkDecoder): ChunkDecoder {
  const failure: Failure = { code: 'test', message: `${VICTIM}: this decoder is too old` };
  return {
    chunkBytes: real.chunkBytes,
    ahead: real.ahead,
    close: () => real.close(),
    decode: async (records) => {
      const chunk = await real.decode(records.filter(({ key }) => key !== VICTIM));
      const others = chunk.outcomes.values();
      const outcomes = records.map(({ key }) =>
        key === VICTIM ? failure : (others.next().value ?? failure),
      );
      return { ...chunk, outcomes };
    },
  };
}

describeWithData('a decoder that could not read a block, and its successor that can', (data) => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-retry-'));
  const shutdown = new Shutdown();
  let server: TestServer;
  let opened: OpenLog;
  let parts: EngineParts;

  beforeAll(async () => {
    server = await startTestServer();
    opened = await openLog(directory, {
      log,
      shutdown,
      signal: never,
      owner: 'test',
      metrics: new Metrics(),
    });
    const source = await openSource(`archive:${data}/blocks/packs`);
    shutdown.add('source', () => source.close());
    const identity = { epochSize: 20, lanes: 2 };
    await runCapture({ ...opened, source, identity, owner: 'capture', signal: never, log });
    const recorded = await opened.bus.identity();
    if (!recorded) throw new Error('the log has no identity');
    parts = { ...opened, projection: BASE, client: server.client, identity: recorded, owner: 'decode', log };
    await prepareStore(server.client, recorded, [BASE, ACTIVITY]);
  });
  afterAll(async () => {
    await shutdown.close(() => {});
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('the stage continues without the block, and its dead letter has the facts', async () => {
    await decodeAll(parts, withoutVictim);
    const letters = await openDeadLetters(opened.bus);
    expect(letters).toMatchObject([{ key: VICTIM, stage: 'decode', code: 'test', tries: 1 }]);
    expect(letters[0]?.record.headers).toMatchObject({ topic: 'raw-blocks', position: '50' });
    expect(await problems()).not.toEqual([]);
  });

  it('a retry reads the original record, makes the step whole and settles the letter', async () => {
    expect(await retryDeadLetters(parts, SETTINGS, never)).toEqual({ settled: 1, left: 0 });
    expect(await openDeadLetters(opened.bus)).toEqual([]);
    expect(await problems()).toEqual([]);
    const { rows } = await server.client.queryRows<[string]>(
      `SELECT count() FROM ${getDatabase(parts.identity, BASE)}.transactions`,
      { route: 'test' },
    );
    expect(rows[0]).toEqual(['1087']);
  });

  it('a second retry has nothing to do', async () => {
    expect(await retryDeadLetters(parts, SETTINGS, never)).toEqual({ settled: 0, left: 0 });
  });

  it('of a projection in chain order a retry names the step to replay from, and leaves the letter open', async () => {
    const warned: [unknown, string][] = [];
    const warn = (facts: unknown, message: string) => void warned.push([facts, message]);
    const chain: EngineParts = { ...parts, projection: ACTIVITY, log: { ...log, warn } };
    await decodeAll(chain, withoutVictim);
    const letters = await openDeadLetters(opened.bus);
    expect(letters.length).toBeGreaterThan(0);
    for (const letter of letters) expect(letter).toMatchObject({ key: VICTIM, stage: ACTIVITY.group });
    expect(await retryDeadLetters(chain, SETTINGS, never)).toEqual({ settled: 0, left: letters.length });
    expect(warned.at(-1)).toEqual([
      { projection: 'activity', dead_letters: letters.length, from: 50 },
      expect.stringContaining('`tonhouse replay activity --from-seqno 50`'),
    ]);
    expect(await openDeadLetters(opened.bus)).toEqual(letters);
  });

  async function decodeAll(of: EngineParts, wrap: (real: ChunkDecoder) => ChunkDecoder): Promise<void> {
    const stop = new AbortController();
    const decoder = wrap(await startDecoder(of, SETTINGS));
    const member = await tableMember(of, SETTINGS, { onBatch() {} }, decoder);
    const running = runMember(member, stop.signal);
    const behind = async () =>
      (await opened.bus.lag()).some(
        ({ group, committed, end }) => group === of.projection.group && committed < end,
      );
    while (await Promise.race([behind(), running.then(() => false)])) await sleep(20);
    stop.abort();
    await running;
  }

  async function problems(): Promise<string[]> {
    const { client } = server;
    const database = getDatabase(parts.identity, BASE);
    const visible = await readVisible(client, database, 'chain');
    if (!visible) return ['nothing is visible'];
    const facts = await readIndexFacts(client, database, parts.identity);
    const results = await runVerify({ client, database, visible, facts, onProgress() {}, signal: never });
    return results.filter((result) => result.problems > 0).map(({ name }) => name);
  }
});
