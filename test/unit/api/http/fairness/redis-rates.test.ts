import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../../src/api/serve-stage.ts';
import { openCounts } from '../../../../../src/cli/compose/rate-counts.ts';
import type { Session } from '../../../../../src/cli/session.ts';
import type { LogIdentity } from '../../../../../src/log/port.ts';
import { RedisCounts } from '../../../../../src/platform/counts/redis-counts.ts';
import type { WindowCount } from '../../../../../src/platform/counts/window-count.ts';
import { Metrics } from '../../../../../src/platform/observability/metrics/metrics.ts';
import { Shutdown } from '../../../../../src/platform/observability/shutdown.ts';
import {
  type OwnedRedis,
  REDIS_PASSWORD,
  redisProgram,
  startOwnRedis,
} from '../../../../helpers/redis-server.ts';
import { storelessContext } from '../../../../helpers/storeless-context.ts';

/* Limits of clients that servers of several machines keep together, on a real Redis-compatible server. */

const URL = `/api/v2/detectHash?hash=${'a'.repeat(64)}`;
/** No test ends a window by waiting: a busy machine would end it elsewhere. */
const WINDOW_MS = 3_600_000;
const LIMIT = 5;
const PREFIX = 'tonhouse:test:rate:';

const program = redisProgram();
if (!program) console.log('skipped: limits on Redis: neither redis-server nor valkey-server is here');

describe.skipIf(!program)('counts on Redis', () => {
  let redis: OwnedRedis;
  let errors: Error[];
  let apps: FastifyInstance[];
  let opened: RedisCounts[];

  beforeAll(async () => {
    redis = await startOwnRedis(program!);
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    errors = [];
    apps = [];
    opened = [];
    await ask((client) => client.flushall());
  });
  afterEach(async () => {
    for (const app of apps) await app.close();
    for (const counts of opened) counts.close();
  });

  async function ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(redis.url);
    try {
      return await question(client);
    } finally {
      client.disconnect();
    }
  }

  /** Counts of a single server: requests that Redis does not count are counted here. */
  function ownCounts(): { add(name: string): WindowCount } {
    let count = 0;
    return { add: () => ({ count: ++count, leftMs: 600 }) };
  }

  /** `answerMs`: a busy machine is no failure, unless the server is deaf. */
  async function openRedis(url = redis.url, answerMs = 60_000): Promise<RedisCounts> {
    const counts = await RedisCounts.open(url, {
      prefix: PREFIX,
      windowMs: WINDOW_MS,
      answerMs,
      pauseMs: 500,
      meanwhile: ownCounts(),
      onError: (error) => errors.push(error),
    });
    opened.push(counts);
    return counts;
  }

  async function serve(url?: string, answerMs?: number): Promise<FastifyInstance> {
    const rateCounts = await openRedis(url, answerMs);
    const app = await buildServer({ ...storelessContext({ keylessLimit: LIMIT }), rateCounts });
    apps.push(app);
    return app;
  }

  /** So many requests of an address, by turns to each server: the statuses of the answers, counted. */
  async function statuses(servers: readonly FastifyInstance[], count: number, remoteAddress = '10.0.0.1') {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        servers[i % servers.length]!.inject({ url: URL, remoteAddress }),
      ),
    );
    return Object.fromEntries(
      [200, 429, 500].map((status) => [status, replies.filter((one) => one.statusCode === status).length]),
    );
  }

  it('two servers answer a client as often as one would, and a third continues with their counts', async () => {
    const servers = [await serve(), await serve()];
    expect(await statuses(servers, 12)).toEqual({ 200: LIMIT, 429: 12 - LIMIT, 500: 0 });
    expect(await statuses([await serve()], 3)).toEqual({ 200: 0, 429: 3, 500: 0 });
    expect(await statuses(servers, 12, '10.0.0.2')).toEqual({ 200: LIMIT, 429: 12 - LIMIT, 500: 0 });
    expect(errors).toEqual([]);
  });

  it('a window ends by the clock of Redis; a count that lost its end gets one', async () => {
    const counts = await openRedis();
    for (const count of [1, 2]) {
      const found = await counts.add('a');
      expect(found.count).toBe(count);
      expect(found.leftMs).toBeGreaterThan(WINDOW_MS - 600_000);
      expect(found.leftMs).toBeLessThanOrEqual(WINDOW_MS);
    }
    expect(await ask((client) => client.persist(`${PREFIX}a`))).toBe(1);
    expect(await counts.add('a')).toEqual({ count: 3, leftMs: WINDOW_MS });
    expect(await ask((client) => client.pttl(`${PREFIX}a`))).toBeGreaterThan(0);
    await ask((client) => client.pexpire(`${PREFIX}a`, 0));
    expect((await counts.add('a')).count).toBe(1);
    // As after the server's clock was set back by an hour.
    await ask((client) => client.set(`${PREFIX}a`, 9, 'PX', WINDOW_MS + 3_600_000));
    expect(await counts.add('a')).toEqual({ count: 1, leftMs: WINDOW_MS });
    expect(await ask((client) => client.pttl(`${PREFIX}a`))).toBeLessThanOrEqual(WINDOW_MS);
  });

  it.each([
    ['that is killed', 60_000, () => redis.kill(), () => redis.start()],
    ['that is deaf', 200, async () => redis.pause(), async () => redis.resume()],
    [
      'that refuses to write',
      60_000,
      () => ask((client) => client.config('SET', 'maxmemory', '1')),
      () => ask((client) => client.config('SET', 'maxmemory', '0')),
    ],
  ])(
    'without a Redis %s each server counts by itself, no request fails, and Redis is tried again',
    async (_name, answerMs, end, begin) => {
      const servers = [await serve(redis.url, answerMs), await serve(redis.url, answerMs)];
      await end();
      try {
        expect(await statuses(servers, 24)).toEqual({ 200: 2 * LIMIT, 429: 24 - 2 * LIMIT, 500: 0 });
        expect(errors.length).toBeGreaterThanOrEqual(2);
      } finally {
        await begin();
      }
      const counted = () => ask((client) => client.get(`${PREFIX}10.0.0.3`));
      await expect
        .poll(async () => {
          await servers[0]!.inject({ url: URL, remoteAddress: '10.0.0.3' });
          return counted();
        })
        .not.toBeNull();
    },
  );

  it('is what --rate-limit-redis names: servers of two data directories and one network count together', async () => {
    const shutdown = new Shutdown();
    const warned: unknown[] = [];
    const log = { debug() {}, info() {}, warn: (...of: unknown[]) => warned.push(of), error() {} };
    const session = { log, shutdown, signal: shutdown.signal, owner: 'test', metrics: new Metrics() };
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'tonhouse-rates-')));
    const open = (data: string, network = 'test', rateLimitRedis = redis.url) =>
      openCounts({ data, rateLimitRedis }, { network } as LogIdentity, session as Session);
    try {
      const [one, two] = [await open(folders[0]!), await open(folders[1]!)];
      // Windows last a second, which a busy machine may take between two counts.
      const together = async () => [(await one.add('a')).count, (await two.add('a')).count];
      await expect.poll(together).toEqual([1, 2]);
      const other = await open(folders[0]!, 'other');
      expect((await other.add('a')).count).toBe(1);
      const wrong = await open(folders[0]!, 'test', redis.url.replace(REDIS_PASSWORD, 'wr-ong'));
      expect((await wrong.add('b')).count).toBe(1);
      expect(warned.length).toBeGreaterThan(0);
      expect(inspect(warned, { depth: 9 })).not.toContain('wr-ong');
    } finally {
      await shutdown.close(() => {});
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    }
  });

  it('one that is away from the start, or refuses the password, is reported without the password', async () => {
    const wrong = redis.url.replace(REDIS_PASSWORD, 'wr-ong');
    const servers = [await serve(wrong), await serve('redis://:wr-ong@127.0.0.1:1')];
    expect(await statuses(servers, 24)).toEqual({ 200: 2 * LIMIT, 429: 24 - 2 * LIMIT, 500: 0 });
    expect(errors.length).toBeGreaterThanOrEqual(2);
    for (const error of errors) {
      const text = `${error.stack} ${JSON.stringify(error, Object.getOwnPropertyNames(error))}`;
      expect(text).not.toContain('wr-ong');
    }
  });
});
