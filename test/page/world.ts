import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli, startCli } from '../helpers/run-cli.ts';

/** Longest start of a server on a busy machine. */
const START_LIMIT_MS = 240_000;
/** Shorter than the limit of a flow, so that the flow fails with what it waited for. */
const FIND_LIMIT_MS = 100_000;
const POLL_MS = 200;
/** A server that does not end after so long is killed. */
const STOP_LIMIT_MS = 60_000;

/** A running server. */
export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** A served local chain with traffic, and texts of a stranger on it. */
export interface World {
  readonly url: string;
  /** Reads a path of the API. */
  ask(path: string): Promise<unknown>;
  /** Wallets of the local chain, the faucet first. */
  listWallets(): Promise<readonly { readonly address: string }[]>;
  /** Asks until a value is found. `url`: another server than the world's. */
  find<T>(path: string, pick: (answer: never) => T | undefined, url?: string): Promise<T>;
  /** Sets the metadata of tokens, as the operator. By raw address. A server reads them at its start. */
  overrideTokens(contents: Readonly<Record<string, object>>): Promise<void>;
  /** Starts another server of the same chain. It ends with the world, too. */
  serve(flags: readonly string[]): Promise<Server>;
  /** Builds a version of `base` with other rows than the served one, and does not serve it. */
  buildVersion(): Promise<void>;
  /** Drops the versions of `base` that are not served. */
  dropVersions(): Promise<void>;
  /** Ends the server, and removes its data. */
  stop(): Promise<void>;
}

/** Text that would be a script, leave the page, or turn the direction of the text around it. */
export const HOSTILE = '<img src=x onerror=alert(1)><a href="https://evil.example">\u202eGO\u202c</a>"\'&lt;';
/** Image of the jetton with that text. */
export const HOSTILE_IMAGE = 'https://evil.example/a.png';
/** A wallet of the local chain that only the tests use. */
export const WALLET = '0QA8MG9MJukjyDMqxnxFMh0isAJLqSr9C7CH7i_gk-4OKH59';

/** An answer may take long on a busy machine. */
const SERVE = ['--port', '0', '--query-timeout-ms', '300000'];

/** Starts the server, and waits until its first blocks and its first actions are served. */
export async function startWorld(): Promise<World> {
  const data = mkdtempSync(join(tmpdir(), 'tonhouse-page-'));
  const servers: Server[] = [];
  const stop = async () => {
    await Promise.all(servers.map((one) => one.stop()));
    rmSync(data, { recursive: true, force: true });
  };
  const start = (args: readonly string[]) => startServer([...args, '--data', data, ...SERVE], servers);
  try {
    const { url } = await start(['up', '--traffic', '2']);
    const find: World['find'] = (path, pick, from = url) =>
      poll(FIND_LIMIT_MS, path, async () => {
        const response = await fetch(`${from}${path}`);
        return response.ok ? pick((await response.json()) as never) : undefined;
      });
    const overrideTokens: World['overrideTokens'] = (contents) =>
      runScript('set-overrides.ts', [data, JSON.stringify(contents)]);
    await writeHostileTexts(data, find, overrideTokens);
    return {
      ...{ url, find, stop, overrideTokens },
      ask: async (path) => (await fetch(`${url}${path}`)).json(),
      listWallets: () => listWallets(url),
      serve: (flags) => start(['serve', ...flags]),
      buildVersion: () => runScript('build-version.ts', [data]),
      dropVersions: () => expectDone(['replay', 'prune', 'base', '--data', data]),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a server by its command, adds it to `servers`, and waits until it answers. */
async function startServer(args: readonly string[], servers: Server[]): Promise<Server> {
  const { child, text, ended } = startCli(args);
  const server = {
    url: '',
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
  servers.push(server);
  server.url = await poll(START_LIMIT_MS, `the server answers: tonhouse ${args.join(' ')}`, async () => {
    if (child.exitCode !== null) throw new Error(`tonhouse ${args.join(' ')} ended\n${text.stderr}`);
    return /answering.*v3=(http:\/\/[^/]+)/.exec(text.stderr)?.[1];
  });
  return server;
}

async function listWallets(url: string) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/localnet/accounts`, { method: 'POST', headers, body: '{}' });
  return ((await response.json()) as { accounts: { address: string }[] }).accounts;
}

/** A comment on the chain, and the name of a jetton. */
async function writeHostileTexts(
  data: string,
  find: World['find'],
  overrideTokens: World['overrideTokens'],
): Promise<void> {
  await expectDone(['localnet', 'fund', WALLET, '1.25', '--comment', HOSTILE, '--data', data]);
  const jetton = await find(
    '/api/v3/jetton/masters?limit=1',
    (answer: { jetton_masters: { address: string }[] }) => answer.jetton_masters[0]?.address,
  );
  await overrideTokens({
    [jetton]: { name: HOSTILE, symbol: HOSTILE, description: HOSTILE, image: HOSTILE_IMAGE },
  });
}

/** Runs a script of this folder. */
async function runScript(name: string, args: readonly string[]): Promise<void> {
  const script = new URL(name, import.meta.url).pathname;
  const run = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(run, 'close');
  if (code !== 0) throw new Error(`${name}: exit code ${code}`);
}

async function expectDone(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(args);
  if (code !== 0) throw new Error(`tonhouse ${args.join(' ')}: exit code ${code}\n${stderr}`);
}

async function poll<T>(limitMs: number, what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(POLL_MS)) {
    const found = await read();
    if (found !== undefined) return found;
  }
  throw new Error(`waited ${limitMs / 1_000} s for: ${what}`);
}
