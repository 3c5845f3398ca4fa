/** setBalance, setCode, setData and impersonate: API, get methods, lite server and `verify` agree after them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, beginCell, Cell, comment, toNano } from '@ton/core';
import { TonClient } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LiteConnection } from '../../src/liteapi/lite-connection.ts';
import { LiteServerError } from '../../src/liteapi/lite-errors.ts';
import { fromTl } from '../../src/liteserver/tl-values.ts';
import { poll } from '../../src/platform/retry/poll.ts';
import { type Localnet, startLocalnet } from '../../src/testing/testing.ts';
import { onlyRoot } from '../../src/ton/boc/boc.ts';
import { checkAccount } from '../../src/ton/proofs/check-account.ts';
import { loadAccount } from '../../src/ton/tlb/account/account.ts';
import { loadWholeCell } from '../../src/ton/tlb/whole-cell.ts';
import { runCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

const REQUEST = { timeoutMs: 60_000 };
/** Code of a lite server's answer: it does not have the state yet. */
const NOT_READY = 651;
const ACCOUNT = new Address(0, Buffer.alloc(32, 0x5a));
const MASTER = new Address(-1, Buffer.alloc(32, 0x5a));
const OTHER = new Address(0, Buffer.alloc(32, 0x5b));
// Returns 7 from every method, and accepts every internal message: SETCP0, DROP, PUSHINT 7.
const SEVEN = new Cell({ bits: beginCell().storeBuffer(Buffer.from('ff003077', 'hex')).endCell().bits });
const DATA = beginCell().storeUint(0xbeef, 16).endCell();

/** An account as a server describes it. */
interface Described {
  readonly balance: string;
  readonly status: string;
  /** Hashes, hex; empty for none. */
  readonly code: string;
  readonly data: string;
}

const ABSENT = { balance: '0', code: '', data: '' };

describe('a development chain', { timeout: 600_000 }, () => {
  let chain: Localnet;
  beforeAll(async () => {
    chain = await startLocalnet();
  }, 600_000);
  afterAll(() => chain?.stop());

  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${chain.url}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return (await answer.json()) as T;
  };
  const hashOf = (boc: string | null) => (boc ? Cell.fromBase64(boc).hash().toString('hex') : '');

  async function describeByV2(address: Address): Promise<Described> {
    const path = `/api/v2/getAddressInformation?address=${address}`;
    const { result } = await get<{ result: Record<string, string> }>(path);
    const { balance, state, code, data } = result;
    return { balance: balance!, status: state!, code: hashOf(code!), data: hashOf(data!) };
  }
  async function describeByV3(address: Address): Promise<Described> {
    const path = `/api/v3/accountStates?include_boc=true&address=${address}`;
    const { accounts } = await get<{ accounts: Record<string, string | null>[] }>(path);
    const { balance, status, code_boc: code, data_boc: data } = accounts[0] ?? ABSENT_V3;
    return { balance: balance!, status: toV2(status!), code: hashOf(code!), data: hashOf(data!) };
  }
  /** The newest block that the other servers have, once the lite server has its state. */
  async function askLiteServer(account: { workchain: number; id: Uint8Array }) {
    const { port, publicKey } = chain.liteserver;
    const key = Buffer.from(publicKey, 'base64');
    const client = await LiteConnection.open({ host: '127.0.0.1', port, key }, REQUEST);
    const { last: served } = await get<{ last: { seqno: number } }>('/api/v3/masterchainInfo');
    try {
      return await poll(
        async () => {
          const { last } = await client.request('getMasterchainInfo', {}, REQUEST);
          if (last.seqno < served.seqno) return null;
          return client
            .request('getAccountState', { id: last, account }, REQUEST)
            .then((answer) => ({ last, answer }))
            .catch((error: unknown) => {
              // Its states follow those of the API closely.
              if (error instanceof LiteServerError && error.code === NOT_READY) return null;
              throw error;
            });
        },
        { everyMs: 50 },
      );
    } finally {
      client.close();
    }
  }
  async function describeByLiteServer(address: Address): Promise<Described> {
    const { last, answer } = await askLiteServer({ workchain: address.workChain, id: address.hash });
    const proven = checkAccount({
      id: fromTl(last),
      shardBlock: fromTl(answer.shardblk),
      account: { workchain: address.workChain, address: address.hash },
      shardProof: answer.shard_proof,
      proof: answer.proof,
      state: answer.state,
    });
    if (!proven) return { ...ABSENT, status: 'uninitialized' };
    const read = loadWholeCell(proven.boc, proven.root, 'Account', loadAccount)!;
    const { balance, state } = read;
    const root = Cell.fromBoc(Buffer.from(answer.state))[0]!;
    expect(onlyRoot(proven.boc)).toBe(proven.root);
    const [code = '', data = ''] = root.refs.map((ref) => ref.hash().toString('hex'));
    return { balance: `${balance.grams}`, status: toV2(state.status), code, data };
  }
  /** The account as all servers describe it. */
  async function describeAccount(address: Address): Promise<Described> {
    const v2 = await describeByV2(address);
    expect(await describeByV3(address)).toEqual(v2);
    expect(await describeByLiteServer(address)).toEqual(v2);
    return v2;
  }
  const seven = async () => {
    const client = new TonClient({ endpoint: `${chain.apiV2}/jsonRPC` });
    const { stack, exit_code } = await client.runMethodWithError(ACCOUNT, 'anything');
    const asked = { address: ACCOUNT.toRawString(), method: 'anything', stack: [] };
    const answer = await fetch(`${chain.apiV3}/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const v3 = (await answer.json()) as { exit_code: number; stack: { value: string }[] };
    return [exit_code, stack.remaining > 0 ? stack.readNumber() : null, v3.exit_code, v3.stack[0]?.value];
  };
  const transactionsOf = async (address: Address) =>
    (
      await get<{ transactions: { hash: string; total_fees: string; description: { aborted: boolean } }[] }>(
        `/api/v3/transactions?account=${address}&limit=50`,
      )
    ).transactions;

  it('sets balances, code and data; snapshot and revert undo them', async () => {
    const before = await chain.snapshot();
    await chain.setBalance(ACCOUNT.toString(), '1234.5');
    expect(await describeAccount(ACCOUNT)).toMatchObject({
      balance: '1234500000000',
      status: 'uninitialized',
    });
    await chain.setBalance(MASTER.toRawString(), 7n);
    expect(await describeAccount(MASTER)).toMatchObject({ balance: '7' });
    await chain.setCode(ACCOUNT.toString(), SEVEN.toBoc(), DATA.toBoc());
    const [code, data] = [SEVEN, DATA].map((cell) => cell.hash().toString('hex'));
    const active = { balance: '1234500000000', status: 'active', code, data };
    expect(await describeAccount(ACCOUNT)).toEqual(active);
    expect(await seven()).toEqual([0, 7, 0, '0x7']);
    const after = await chain.snapshot();
    await chain.setData(ACCOUNT.toString(), SEVEN.toBoc().toString('hex'));
    await chain.setBalance(ACCOUNT.toString(), 5n);
    expect(await describeAccount(ACCOUNT)).toEqual({ ...active, balance: '5', data: code });
    const [newest] = await transactionsOf(ACCOUNT);
    expect(newest).toMatchObject({ total_fees: '1234499999995', description: { aborted: false } });
    await chain.revert(after);
    expect(await describeAccount(ACCOUNT)).toEqual(active);
    await chain.revert(before);
    expect(await describeAccount(ACCOUNT)).toEqual({ ...ABSENT, status: 'uninitialized' });
    expect(await transactionsOf(ACCOUNT)).toEqual([]);
  });

  it('impersonates a contract and an account without code, with traces', async () => {
    await chain.setBalance(ACCOUNT.toString(), '10');
    await chain.setCode(ACCOUNT.toString(), SEVEN.toBoc());
    const { body, value } = { body: comment('from a contract').toBoc(), value: '2' };
    const message = { from: ACCOUNT.toString(), to: OTHER.toString(), value, body, bounce: false };
    const { hash, seqno } = await chain.impersonate(message);
    expect(seqno).toBeGreaterThan(0);
    expect((await describeAccount(OTHER)).balance).toBe(`${toNano('2')}`);
    type Traces = { traces: { transactions_order: string[]; is_incomplete: boolean }[] };
    const readTraces = async () => (await get<Traces>(`/api/v3/traces?msg_hash=${hash}`)).traces;
    await expect.poll(readTraces, { timeout: 120_000 }).toMatchObject([{ is_incomplete: false }]);
    expect((await readTraces())[0]!.transactions_order).toHaveLength(2);
    expect(await describeAccount(ACCOUNT)).toMatchObject({ code: SEVEN.hash().toString('hex') });
    const back = { from: OTHER.toString(), to: ACCOUNT.toString(), value: '0.5' };
    await chain.impersonate(back);
    expect(await describeAccount(OTHER)).toMatchObject({ status: 'uninitialized' });
  });

  it('refuses what cannot be done', async () => {
    const to = OTHER.toString();
    await expect(chain.setBalance('nobody', 1n)).rejects.toThrow('address: expected an address of workchain');
    await expect(chain.setBalance(to, -1n)).rejects.toThrow('balance: expected nanotons');
    await expect(chain.setCode(to, 'zz')).rejects.toThrow('code: expected a BoC');
    await expect(chain.setCode(to, 'b5ee9c72')).rejects.toThrow('code: expected a BoC of one cell');
    await expect(chain.setData(MASTER.toString(), DATA.toBoc())).rejects.toThrow('an account with code');
    const from = new Address(0, Buffer.alloc(32, 0x5c)).toString();
    await expect(chain.impersonate({ from, to, value: 1n })).rejects.toThrow('there is no account');
    await expect(chain.impersonate({ from: to, to: from, value: '1000' })).rejects.toThrow('result code 37');
  });
});

const ABSENT_V3 = { balance: '0', status: 'nonexist', code_boc: null, data_boc: null };

function toV2(status: string): string {
  return status === 'active' ? status : 'uninitialized';
}

describe('tonhouse localnet', { timeout: 600_000 }, () => {
  it('sets and impersonates by command and by HTTP, and verify finds no difference', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-interventions-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const [data, code] = [join(directory, 'data'), join(directory, 'code.boc')];
    writeFileSync(code, SEVEN.toBoc());
    const up = await startUp([
      '--data',
      data,
      '--block-ms',
      '1000',
      '--traffic',
      '5',
      '--localnet-shards',
      '2',
    ]);
    const localnet = (...args: string[]) => runCli(['localnet', ...args, '--data', data]);
    const [account, other] = [ACCOUNT.toRawString(), OTHER.toRawString()];
    const block = expect.stringMatching(/^masterchain block \d+\n$/);
    expect(await localnet('set-balance', account, '20.5')).toMatchObject({ code: 0, stdout: block });
    expect(await localnet('set-code', account, code, '--with-data', code)).toMatchObject({
      code: 0,
      stdout: block,
    });
    const sent = await localnet('impersonate', account, other, '3', '--comment', 'hello', '--no-bounce');
    expect(sent).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent 3 TON in masterchain block /),
    });
    const post = (command: string, body: object) =>
      fetch(`${up.url}/localnet/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const set = await post('setBalance', { address: account, balance: '42' });
    expect([set.status, await set.json()]).toEqual([200, { seqno: expect.any(Number) }]);
    expect((await post('setBalance', { address: account, balance: 42 })).status).toBe(422);
    await expect
      .poll(async () => {
        const answer = await fetch(`${up.url}/api/v3/addressInformation?address=${account}`);
        return ((await answer.json()) as { balance?: string }).balance;
      })
      .toBe('42');
    const master = MASTER.toRawString();
    expect(master).toMatch(/^-1:/);
    expect(await localnet('set-balance', master, '9')).toMatchObject({ code: 0, stdout: block });
    expect(await localnet('set-code', '--with-data', code, master, code)).toMatchObject({
      code: 0,
      stdout: block,
    });
    expect(await localnet('set-data', master, code)).toMatchObject({ code: 0, stdout: block });
    expect(await localnet('impersonate', '--no-bounce', master, other, '1')).toMatchObject({ code: 0 });
    expect(await localnet('fund', master, '1')).toMatchObject({ code: 0 });
    expect(await localnet('set-balance', '-1:5a', '9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('found "-1:5a"'),
    });
    expect(await localnet('set-balance', account, 'much')).toMatchObject({ code: 2 });
    expect(await localnet('set-code', account, join(directory, 'absent'))).toMatchObject({ code: 2 });
    expect(await localnet('set-data', OTHER.toString(), code)).toMatchObject({ code: 1 });
    const verified = await runCli(['verify', '--data', data]);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });
    await up.stop();
    const stopped = await localnet('set-balance', account, '1');
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('no local chain runs') });
  });

  it('is refused on a chain that is no development chain', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-interventions-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const [archive, data] = [join(directory, 'archive'), join(directory, 'data')];
    expect(await runCli(['generate', '--transactions', '100', '--out', archive])).toMatchObject({ code: 0 });
    const states = ['-1', '0'].flatMap((name) => ['--state', join(archive, `zerostate_${name}.boc`)]);
    const up = await startUp(['--data', data, '--source', `archive:${archive}`, ...states]);
    const answer = await fetch(`${up.url}/localnet/setBalance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: ACCOUNT.toRawString(), balance: '1' }),
    });
    expect(answer.status).toBe(404);
    const refused = await runCli(['localnet', 'set-balance', ACCOUNT.toRawString(), '1', '--data', data]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no local chain runs') });
    await up.stop();
  });
});
