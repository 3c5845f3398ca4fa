import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { type ImageWorld, startImageWorld } from './image-world.ts';

/** The process has its time to start on a busy machine. */
const LIMIT_MS = 600_000;
const POLL_MS = 500;

/** A served local chain with traffic, and texts of a stranger on it. */
export interface World {
  readonly url: string;
  /** Reads a path of the API. */
  ask(path: string): Promise<unknown>;
  /** Wallets of the local chain, the faucet first. */
  listWallets(): Promise<readonly { readonly address: string }[]>;
  /** Asks until a value is found. `url`: another server than the world's. */
  find<T>(path: string, pick: (answer: never) => T | undefined, url?: string): Promise<T>;
  /** Sets the metadata of a token, as the operator. */
  overrideToken(address: string, content: object): Promise<void>;
  /** Starts another server of the same chain, which lets the page load images. */
  serveImages(): Promise<ImageWorld>;
  /** Builds a version of `base` with other rows than the served one, and does not serve it. */
  buildVersion(): Promise<void>;
  /** Drops the versions of `base` that are not served. */
  dropVersions(): Promise<void>;
  /** Ends the server, and removes its data. */
  stop(): Promise<void>;
}

/** Text that would be a script, leave the page, or turn the direction of the text around it. */
export const HOSTILE = '<img src=x onerror=alert(1)><a href="https://evil.example">\u202eGO\u202c</a>"\'&lt;';
/** A wallet of the local chain that only the tests use. */
export const WALLET = '0QA8MG9MJukjyDMqxnxFMh0isAJLqSr9C7CH7i_gk-4OKH59';

/** An answer may take long on a busy machine. */
const SERVE = ['--port', '0', '--query-timeout-ms', '300000'];

/** Starts the server, and waits until its first blocks and its first actions are served. */
export async function startWorld(): Promise<World> {
  const data = mkdtempSync(join(tmpdir(), 'tonhouse-page-'));
  const { child, text, ended } = startCli(['up', '--data', data, '--traffic', '2', ...SERVE]);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const url = await untilAnswers(() => text.stderr);
    const ask = async (path: string) => (await fetch(`${url}${path}`)).json();
    const find: World['find'] = (path, pick, from = url) =>
      poll(async () => {
        const response = await fetch(`${from}${path}`);
        return response.ok ? pick((await response.json()) as never) : undefined;
      }, path);
    const listWallets = async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/localnet/accounts`, { method: 'POST', headers, body: '{}' });
      return ((await response.json()) as { accounts: { address: string }[] }).accounts;
    };
    const overrideToken = async (address: string, content: object) => {
      const set = ['metadata', 'override', 'set', address, '--content', JSON.stringify(content)];
      await expectDone([...set, '--data', data]);
    };
    const serveImages = () => startImageWorld(['serve', '--data', data, ...SERVE], untilAnswers);
    const buildVersion = async () => {
      const script = new URL('build-version.ts', import.meta.url).pathname;
      const run = spawn(process.execPath, [script, data], { stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(run, 'close');
      if (code !== 0) throw new Error(`build-version.ts: exit code ${code}`);
    };
    const dropVersions = () => expectDone(['replay', 'prune', 'base', '--data', data]);
    await writeHostileTexts(data, find, overrideToken);
    return {
      ...{ url, ask, listWallets, find, stop },
      ...{ overrideToken, serveImages, buildVersion, dropVersions },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves to the address of a server, by its log. */
async function untilAnswers(readLog: () => string): Promise<string> {
  await poll(async () => (/answering/.test(readLog()) ? true : undefined), 'the server answers');
  return /v3=(http:\/\/[^/]+)/.exec(readLog())?.[1] ?? '';
}

/** A comment on the chain, and the name of a jetton. */
async function writeHostileTexts(
  data: string,
  find: World['find'],
  overrideToken: World['overrideToken'],
): Promise<void> {
  await expectDone(['localnet', 'fund', WALLET, '1.25', '--comment', HOSTILE, '--data', data]);
  const jetton = await find(
    '/api/v3/jetton/masters?limit=1',
    (answer: { jetton_masters: { address: string }[] }) => answer.jetton_masters[0]?.address,
  );
  const content = {
    name: HOSTILE,
    symbol: HOSTILE,
    description: HOSTILE,
    image: 'https://evil.example/a.png',
  };
  await overrideToken(jetton, content);
}

async function expectDone(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runCli(args);
  if (code !== 0) throw new Error(`tonhouse ${args.join(' ')}: exit code ${code}\n${stderr}`);
}

async function poll<T>(read: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const found = await read();
    if (found !== undefined) return found;
  }
  throw new Error(`waited ${LIMIT_MS / 1_000} s for: ${what}`);
}
