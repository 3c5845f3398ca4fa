import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { globalConfig } from '../../src/liteserver/global-config.ts';
import { LiteServer } from '../../src/liteserver/lite-server.ts';
import { judgedChain } from '../helpers/judged-chain.ts';
import { startUp } from '../helpers/started-up.ts';

const WAIT = { timeout: 200_000, interval: 3_000 };

/** A network of one lite server; its chain grows on demand. Returns the chain and its global configuration file. */
async function openNetwork(directory: string) {
  const chain = await judgedChain('ordinary');
  onTestFinished(() => chain.close());
  const options = { host: '127.0.0.1', port: 0, seed: Buffer.alloc(32, 5), onError: () => {} };
  const server = await LiteServer.open(chain.context, options);
  onTestFinished(() => server.close());
  const file = join(directory, 'global.config.json');
  writeFileSync(file, globalConfig([{ ip: '127.0.0.1', ...server }], chain.context.zerostate));
  return { chain, file };
}

it('up --from SEQNO fetches the configuration and the cells of accounts that change later', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-live-fetch-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { chain, file } = await openNetwork(directory);
  await chain.mine(12);
  const source = ['--source', 'liteserver', '--global-config', file, '--network', 'middle', '--from', '10'];
  const up = await startUp(['--data', join(directory, 'data'), ...source]);
  onTestFinished(() => up.stop());
  await chain.mine(3);
  await expect.poll(() => up.range(), WAIT).toEqual({ first: 10, last: 15 });

  const ask = async (path: string) =>
    (await (await fetch(`${up.url}/${path}`)).json()) as Record<string, unknown>;
  const config = () => ask('api/v2/getConfigParam?config_id=34');
  await expect.poll(config, WAIT).toMatchObject({
    ok: true,
    result: { '@type': 'configInfo', config: { bytes: expect.stringMatching(/^te6cc/) } },
  });
  expect(await ask('api/v2/getConfigAll')).toMatchObject({ ok: true });

  const accounts = await changedAccounts(up.url);
  expect(accounts.length).toBeGreaterThan(3);
  // A new block with each look: answers at the same block are cached.
  const lacking = async () => {
    await chain.mine(1);
    return (await statesOf(up.url, accounts)).filter(lacksCells).map(({ address }) => address);
  };
  await expect.poll(lacking, WAIT).toEqual([]);
  const runs = await Promise.all(accounts.map((address) => runSeqno(up.url, address)));
  // Tokens have no such method; wallets have.
  expect(runs.filter(({ exit_code }) => exit_code === 0).length).toBeGreaterThan(3);
  const counts = async () => (await ask('healthz')).live;
  await expect.poll(counts, WAIT).toMatchObject({ fetched: { missing: 0 } });
}, 600_000);

/** Accounts of the basechain with transactions in the index. */
async function changedAccounts(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/v3/transactions?workchain=0&limit=100`);
  const { transactions } = (await answer.json()) as { transactions: { account: string }[] };
  return [...new Set(transactions.map(({ account }) => account))];
}

interface State {
  readonly address: string;
  readonly status: string;
  readonly code_boc: string | null;
  readonly data_boc: string | null;
}

async function statesOf(url: string, accounts: readonly string[]): Promise<readonly State[]> {
  const query = accounts.map((account) => `address=${encodeURIComponent(account)}`).join('&');
  const answer = await fetch(`${url}/api/v3/accountStates?${query}`);
  return ((await answer.json()) as { accounts: State[] }).accounts;
}

function lacksCells({ status, code_boc, data_boc }: State): boolean {
  return status === 'active' && (code_boc === null || data_boc === null);
}

async function runSeqno(url: string, address: string): Promise<{ readonly exit_code?: number }> {
  const answer = await fetch(`${url}/api/v3/runGetMethod`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, method: 'seqno', stack: [] }),
  });
  return (await answer.json()) as { exit_code?: number };
}
