/** `serve --api-processes`: several processes answer as one. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startMain } from '../helpers/run-main.ts';
import { scrape } from '../helpers/scrape.ts';
import { openSocket, openSse } from '../helpers/stream-client.ts';
import { makeTokenPacks } from '../helpers/token-packs.ts';

const LIMIT_MS = 900_000;
const wait = { timeout: LIMIT_MS, interval: 200 };
const KEYLESS = 5;
const STREAMS = 2;
const PROCESSES = 2;

let folder: string;
let server: ReturnType<typeof startMain>;
let url: string;
let key: string;
let last: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const { directory, states, last: newest } = await makeTokenPacks(join(folder, 'packs'));
  last = newest;
  const data = ['--data', join(folder, 'data')];
  const start = states.flatMap((file) => ['--state', file]);
  const made = await run(['index', `archive:${directory}`, '--network', 'localnet', ...start, ...data]);
  expect(made.code, made.stderr).toBe(0);
  const flags = [
    '--keyless-limit',
    `${KEYLESS}`,
    '--stream-connections',
    `${STREAMS}`,
    '--lookup-index',
    'on',
    '--idle-connections',
    '1000',
    '--query-timeout-ms',
    '300000',
  ];
  server = startMain(['serve', ...data, '--port', '0', '--api-processes', `${PROCESSES}`, ...flags]);
  url = await vi.waitFor(() => /http:\/\/[\d.]+:\d+/.exec(server.text.stderr)![0], wait);
  const created = await run(['keys', 'create', 'test', '--rate', '0', ...data]);
  expect(created.code, created.stderr).toBe(0);
  key = created.stdout.trim();
  await untilAllAnswer();
}, LIMIT_MS);
afterAll(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
}, LIMIT_MS);

async function run(args: readonly string[]) {
  const { ended, text } = startMain(args);
  return { code: await ended, ...text };
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Asks on a new connection, so that any of the processes may answer. */
const ask = (path: string, headers: Record<string, string> = { 'X-Api-Key': key }) =>
  new Promise<Answer>((done, fail) => {
    const request = get(`${url}${path}`, { agent: false, headers }, (answer) => {
      const status = answer.statusCode!;
      json(answer).then((body) => done({ status, body: body as Answer['body'] }), fail);
    });
    request.once('error', fail);
  });

/** Processes that the server started and that answer, by their ids. */
function membersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('\0serve\0'));
}

const untilAllAnswer = () =>
  vi.waitFor(async () => {
    expect((await scrape(`${url}/metrics`)).value('tonhouse_api_processes')).toBe(PROCESSES);
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask('/api/v3/masterchainInfo')));
    for (const { body } of answers) expect(body).toMatchObject({ last: { seqno: last } });
  }, wait);

/** The newest step of the look-up index, as each of many connections shows it. */
const untilIndexed = () =>
  vi.waitFor(async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask('/healthz')));
    for (const { body } of answers) {
      const { lookupIndex } = body as { lookupIndex: { projections: { steps: { last: number } | null }[] } };
      expect(lookupIndex.projections.map(({ steps }) => steps?.last)).toContain(last);
    }
  }, wait);

it('counts the requests of all processes together', { timeout: LIMIT_MS }, async () => {
  const requests = async () =>
    (await scrape(`${url}/metrics`)).sum('tonhouse_http_requests_total', { route: '/api/v3/blocks' });
  const before = await requests();
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/api/v3/blocks?limit=1')));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  await vi.waitFor(async () => expect(await requests()).toBe(before + 40), wait);
});

it('limits an address over all processes', { timeout: LIMIT_MS }, async () => {
  const second = () => Math.floor(Date.now() / 1_000);
  const began = second();
  let allowed = 0;
  // So many seconds that counts of each process alone would let too many requests pass.
  while (second() < began + 6) {
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask('/api/v3/masterchainInfo', {})));
    allowed += answers.filter(({ status }) => status === 200).length;
  }
  expect(allowed).toBeLessThanOrEqual((second() - began + 1) * KEYLESS);
  expect(allowed).toBeGreaterThanOrEqual(1);
});

it('limits the streams of a key over all processes, and streams answer', { timeout: LIMIT_MS }, async () => {
  const subscription = { types: ['transactions'], addresses: [`0:${'80'.repeat(32)}`] };
  const open = () => openSse(url, subscription, { 'X-Api-Key': key, connection: 'close' });
  const streams = [await open(), await open()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  // Another process knows of a stream some milliseconds later.
  await vi.waitFor(async () => {
    const more = await Promise.all(Array.from({ length: 16 }, open));
    const statuses = more.map(({ status }) => status);
    await Promise.all(more.map((one) => one.close()));
    expect(statuses).toEqual(Array(16).fill(429));
  }, wait);
  await Promise.all(streams.map((one) => one.close()));
  const socket = await vi.waitFor(() => openSocket(url, `?api_key=${key}`), wait);
  socket.send({ operation: 'subscribe', id: '1', ...subscription });
  expect(await socket.until(({ id }) => id === '1')).toMatchObject({ status: 'subscribed' });
  socket.socket.close();
  await socket.closed;
});

it('starts a killed process again, and answers by one look-up index', { timeout: LIMIT_MS }, async () => {
  await untilIndexed();
  const members = membersOf(server.child.pid!);
  expect(members).toHaveLength(PROCESSES);
  const accounts = await ask('/api/v3/topAccountsByBalance?limit=1');
  expect(accounts.status).toBe(200);
  for (const [killed, pid] of members.entries()) {
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(async () => {
      const { value } = await scrape(`${url}/metrics`);
      expect(value('tonhouse_api_process_restarts_total')).toBe(killed + 1);
    }, wait);
    await untilAllAnswer();
    await untilIndexed();
    expect(await ask('/api/v3/topAccountsByBalance?limit=1')).toEqual(accounts);
  }
});

it('ends in order', { timeout: LIMIT_MS }, async () => {
  const answer = ask('/api/v3/transactions?limit=1000');
  await ask('/api/v3/masterchainInfo');
  server.child.kill('SIGTERM');
  expect((await answer).status).toBe(200);
  expect(await server.ended, server.text.stderr).toBe(0);
  await expect(ask('/api/v3/masterchainInfo')).rejects.toThrow();
});
