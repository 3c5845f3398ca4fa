import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildServer } from '../../../../../src/api/serve-stage.ts';
import { SharedCounts } from '../../../../../src/platform/counts/shared-counts.ts';
import { storelessContext } from '../../../../helpers/storeless-context.ts';

/* Limits of clients that several servers share through one file. The clock does not move unless a test moves it. */

const URL = `/api/v2/detectHash?hash=${'a'.repeat(64)}`;
const WINDOW_MS = 1_000;
const LIMIT = 5;

let directory: string;
let now: number;
let errors: unknown[];
let apps: FastifyInstance[];
let opened: SharedCounts[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-rates-'));
  now = 1_700_000_000_000;
  errors = [];
  apps = [];
  opened = [];
});
afterEach(async () => {
  for (const app of apps) await app.close();
  for (const counts of opened) counts.close();
  rmSync(directory, { recursive: true, force: true });
});

function openCounts(name = 'rates.sqlite'): SharedCounts {
  const counts = new SharedCounts({
    path: join(directory, name),
    windowMs: WINDOW_MS,
    mostNames: 100,
    onError: (error) => errors.push(error),
    now: () => now,
  });
  opened.push(counts);
  return counts;
}

async function serve(counts = openCounts()): Promise<FastifyInstance> {
  const app = await buildServer({ ...storelessContext({ keylessLimit: LIMIT }), rateCounts: counts });
  apps.push(app);
  return app;
}

/** So many requests of an address, by turns to each server: how many of them were answered. */
async function answered(servers: readonly FastifyInstance[], count: number, remoteAddress = '10.0.0.1') {
  const replies = await Promise.all(
    Array.from({ length: count }, (_, i) => servers[i % servers.length]!.inject({ url: URL, remoteAddress })),
  );
  const refused = replies.filter(({ statusCode }) => statusCode === 429);
  for (const { headers } of refused) expect(headers['retry-after']).toBe('1');
  return replies.length - refused.length;
}

it('two servers answer a client as often as one would', async () => {
  const servers = [await serve(), await serve()];
  expect(await answered(servers, 12)).toBe(LIMIT);
  expect(await answered(servers, 12)).toBe(0);
  expect(await answered(servers, 12, '10.0.0.2')).toBe(LIMIT);
  now += WINDOW_MS;
  expect(await answered(servers, 12)).toBe(LIMIT);
  expect(errors).toEqual([]);
});

it('a server that starts continues with the counts of the others', async () => {
  expect(await answered([await serve()], 3)).toBe(3);
  expect(await answered([await serve()], 12)).toBe(LIMIT - 3);
});

it('a file that cannot be used is reported, and each server counts by itself meanwhile', async () => {
  writeFileSync(join(directory, 'broken.sqlite'), 'x'.repeat(10_000));
  const servers = [await serve(openCounts('broken.sqlite')), await serve(openCounts('broken.sqlite'))];
  expect(await answered(servers, 24)).toBe(2 * LIMIT);
  expect(errors).toHaveLength(2);
});

it('a server uses the file again after a while, although the clock was set back', () => {
  let monotonic = 0;
  const counts = new SharedCounts({
    path: join(directory, 'rates.sqlite'),
    windowMs: WINDOW_MS,
    mostNames: 100,
    onError: (error) => errors.push(error),
    now: () => now,
    monotonic: () => monotonic,
  });
  opened.push(counts);
  writeFileSync(join(directory, 'rates.sqlite'), 'x'.repeat(10_000));
  expect(counts.add('client').count).toBe(1);
  rmSync(join(directory, 'rates.sqlite'));
  expect(openCounts().add('client').count).toBe(1);
  now -= 3_600_000;
  openCounts().add('client');
  expect(counts.add('client').count).toBe(2);
  monotonic += 10_000;
  // The window of the file, which another server counts in.
  expect(counts.add('client').count).toBe(2);
  openCounts().add('client');
  expect(counts.add('client').count).toBe(4);
  expect(errors).toHaveLength(1);
});

it('windows that have passed are removed, and a clock that was set back begins new ones', () => {
  const counts = openCounts();
  for (let i = 0; i < 50; i++) counts.add(`client ${i}`);
  now -= 60_000;
  expect(counts.add('client 1')).toEqual({ count: 1, leftMs: WINDOW_MS });
  now += 400;
  expect(counts.add('client 1')).toEqual({ count: 2, leftMs: 600 });
  now += 600;
  expect(counts.add('client 1')).toEqual({ count: 1, leftMs: WINDOW_MS });
});

it('a count that was asked for before another process began the window, and waited for it, is one of the window', () => {
  const [first, second] = [openCounts(), openCounts()];
  now += 90;
  for (let i = 0; i < 3; i++) first.add('client');
  now -= 90;
  expect(second.add('client')).toEqual({ count: 4, leftMs: WINDOW_MS });
  expect(first.add('client').count).toBe(5);
});

it('two processes lose no count', async () => {
  const module = resolve(import.meta.dirname, '../../../../../src/platform/counts/shared-counts.ts');
  const path = join(directory, 'rates.sqlite');
  const script = `
    import { SharedCounts } from ${JSON.stringify(module)};
    const fail = (error) => { console.error(error); process.exit(1); };
    const counts = new SharedCounts({ path: ${JSON.stringify(path)}, windowMs: 3_600_000, mostNames: 1, busyMs: 60_000, onError: fail });
    for (let i = 0; i < 500; i++) counts.add('client');
    counts.close();`;
  const exits = [0, 1].map(() =>
    once(spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }), 'exit'),
  );
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0]);
  const counts = new SharedCounts({
    path,
    windowMs: 3_600_000,
    mostNames: 1,
    onError: (error) => errors.push(error),
  });
  opened.push(counts);
  expect(counts.add('client').count).toBe(1_001);
  expect(errors).toEqual([]);
}, 120_000);

it('opens its files to no other user, also those of an earlier release', async () => {
  writeFileSync(join(directory, 'rates.sqlite'), '', { mode: 0o644 });
  await answered([await serve()], 1);
  const files = readdirSync(directory);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect(statSync(join(directory, file)).mode & 0o077, file).toBe(0);
  expect(errors).toEqual([]);
});
