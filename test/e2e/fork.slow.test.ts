/** `--fork` with real accounts: every answer equals that of @ton/sandbox on the same state. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, beginCell, Cell, Dictionary, loadShardAccount, type TupleItem } from '@ton/core';
import { Blockchain, GetMethodError } from '@ton/sandbox';
import { TonClient } from '@ton/ton';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { makeGenesisRecord } from '../../src/localnet/engine/open-chain.ts';
import type { ReadFork } from '../../src/localnet/fork/fork.ts';
import { readFork } from '../../src/localnet/fork/read-fork.ts';
import { readForkFile } from '../../src/localnet/fork/read-fork-file.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { type Localnet, startLocalnet } from '../../src/testing/testing.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { toAccountName } from '../../src/ton/store/store-address.ts';
import { packageOfPyPi } from '../helpers/published-package.ts';
import { runCli } from '../helpers/run-cli.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { callPython } from './published/toncenter.ts';
import { openTonWeb } from './published/tonweb.ts';

interface Facts {
  readonly address: string;
  readonly balance: string;
  readonly status: string;
  readonly code_hash: string;
  readonly data_hash: string;
  readonly last_trans_lt: string;
}

const ELECTOR = `-1:${'3'.repeat(64)}`;
const MINT = `-1:${'0'.repeat(64)}`;
const POOL = '0:aa9b05e69a7c2547a2ed19d07b2322d68b2817927974f711227630446e5cb374';
const USDT_WALLET = '0:869705453f9d5afc1f4300e9d561bd089b32ad28e24d190900479369c36bd813';
const WALLET = '0:3f73ef51ce3b828b26804e172844051c3cd5c7bef0cd82888bf1aa0f17a9d75a';
const METHODS = [
  'seqno',
  'get_public_key',
  'get_wallet_data',
  'get_jetton_data',
  'get_nft_data',
  'get_reserves',
];

/** The newest readable state of each account of the folder: file and facts. */
function newestStates(folder: string): { file: string; facts: Facts }[] {
  const all = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<string, Facts>;
  const newest = new Map<string, { file: string; facts: Facts }>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.boc'))) {
    const file = join(folder, name);
    const facts = all[name.slice(0, -4)]!;
    const known = newest.get(facts.address);
    if (known && BigInt(known.facts.last_trans_lt) > BigInt(facts.last_trans_lt)) continue;
    if (isUsable(file)) newest.set(facts.address, { file, facts });
  }
  return [...newest.values()];
}

/** Some files have pruned branches, or levels that a node refuses. */
function isUsable(file: string): boolean {
  try {
    readForkFile(readFileSync(file), 1_000_000);
    return true;
  } catch {
    return false;
  }
}

const cellOf = (cell: Parameters<typeof writeBag>[0]) => Cell.fromBoc(Buffer.from(writeBag(cell)))[0]!;

/** A sandbox with the accounts and libraries of the fork. */
async function openSandbox({ accounts, libraries }: ReadFork): Promise<Blockchain> {
  const sandbox = await Blockchain.create();
  const cells = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const library of libraries) cells.set(Buffer.from(library.hash()), cellOf(library));
  sandbox.libs = beginCell().storeDictDirect(cells).endCell();
  for (const { address, account } of accounts) {
    const entry = beginCell().storeRef(cellOf(account)).storeUint(0, 256).storeUint(0, 64).endCell();
    const at = new Address(address.workchain, Buffer.from(address.address));
    await sandbox.setShardAccount(at, loadShardAccount(entry.beginParse()));
  }
  return sandbox;
}

/** A stack item as text; the cell of a slice is that of its rest. */
function itemText(item: TupleItem): string {
  if (item.type === 'tuple') return `[${item.items.map(itemText).join(', ')}]`;
  if (item.type === 'int') return `${item.value}`;
  return 'cell' in item ? item.cell.hash().toString('hex') : item.type;
}

/** Exit code and stack. */
async function runInSandbox(sandbox: Blockchain, address: Address, method: string) {
  try {
    const { stack } = await sandbox.runGetMethod(address, method);
    return [0, ...stack.map(itemText)];
  } catch (error) {
    if (error instanceof GetMethodError) return [error.exitCode];
    throw error;
  }
}

/** What run_get_method of toncenter returns. */
interface PythonRun {
  readonly exit_code: number;
  readonly stack: readonly { readonly type: string; readonly value: unknown }[];
}

/** As `itemText`, of an item of TON Center v3. */
function pythonItemText({ type, value }: PythonRun['stack'][number]): string {
  if (type === 'tuple' || type === 'list') {
    const items = (value as { elements?: PythonRun['stack'] }).elements ?? (value as PythonRun['stack']);
    return `[${items.map(pythonItemText).join(', ')}]`;
  }
  if (type !== 'num') return typeof value === 'string' ? Cell.fromBase64(value).hash().toString('hex') : type;
  const text = String(value);
  return `${text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)}`;
}

/** The tokens of another local chain, and a folder with the state of its basechain. */
function otherChain() {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-fork-'));
  const seed = 'another';
  const { zerostates } = makeGenesisRecord({
    seed,
    shards: 1,
    globalId: LOCALNET_GLOBAL_ID,
    utime: 1_790_000_000,
  });
  writeFileSync(join(folder, 'state.boc'), zerostates[1]);
  const faucet = genesisWallets(seed, LOCALNET_GLOBAL_ID).faucet.address;
  return { folder, tokens: genesisTokens({ seed, globalId: LOCALNET_GLOBAL_ID, faucet }) };
}

describeWithData('a chain with a fork of real accounts', (data) => {
  const states = newestStates(join(data, 'accounts'));
  const loaded = states.filter(({ facts }) => facts.address !== ELECTOR);
  let chain: Localnet;
  let fork: ReadFork;
  let other: ReturnType<typeof otherChain>;
  beforeAll(async () => {
    fork = await readFork(
      loaded.map(({ file }) => file),
      new Map(),
    );
    other = otherChain();
    const paths = [other.folder, ...states.map(({ file }) => file)];
    chain = await startLocalnet({ fork: paths });
  });
  /** The jettons and NFTs of the fork by address and method. */
  const tokenCalls = () => {
    const { jetton, nfts } = other.tokens;
    const name = (one: { address: Parameters<typeof toAccountName>[0] }) => toAccountName(one.address);
    return [
      [POOL, 'get_jetton_data'],
      [USDT_WALLET, 'get_wallet_data'],
      [name(jetton.minter), 'get_jetton_data'],
      [name(jetton.wallets[0]!), 'get_wallet_data'],
      [name(nfts.collection), 'get_collection_data'],
      [name(nfts.items[0]!), 'get_nft_data'],
    ] as const;
  };
  /** A sandbox with the whole state of the other local chain, too. */
  const wholeSandbox = async () =>
    openSandbox(await readFork([other.folder, ...loaded.map(({ file }) => file)], new Map()));

  afterAll(async () => {
    await chain?.stop();
    rmSync(other.folder, { recursive: true, force: true });
  });

  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${chain.url}${path}`);
    const body = await answer.text();
    expect([path, answer.status, answer.ok ? '' : body]).toEqual([path, 200, '']);
    return JSON.parse(body) as T;
  };

  it('has their balances and states', async () => {
    expect(loaded.length).toBeGreaterThan(20);
    for (const { facts } of loaded) {
      const path = `/api/v2/getAddressBalance?address=${facts.address}`;
      const { result } = await get<{ result: string }>(path);
      expect([facts.address, result]).toEqual([facts.address, facts.balance]);
    }
    const query = loaded.map(({ facts }) => `address=${facts.address}`).join('&');
    const { accounts } = await get<{ accounts: Record<string, string>[] }>(
      `/api/v3/accountStates?include_boc=true&${query}`,
    );
    const hex = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString('hex');
    const found = accounts.map(({ address, balance, status, code_hash, data_hash, last_transaction_lt }) => ({
      address: address!.toLowerCase(),
      balance,
      status,
      code_hash: hex(code_hash),
      data_hash: hex(data_hash),
      lt: last_transaction_lt,
    }));
    const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1);
    const expected = loaded.map(({ facts: { address, balance, status, code_hash, data_hash } }) => {
      return { address, balance, status, code_hash, data_hash, lt: '0' };
    });
    expect(found.sort(byAddress)).toEqual(expected.sort(byAddress));
  });

  it('runs get methods as the sandbox does', async () => {
    const sandbox = await openSandbox(fork);
    const client = new TonClient({ endpoint: `${chain.apiV2}/jsonRPC` });
    const succeeded = new Set<string>();
    for (const { facts } of loaded) {
      // The sandbox cannot set the extra currencies of this account.
      if (facts.address === MINT) continue;
      const address = Address.parse(facts.address);
      for (const method of METHODS) {
        const expected = await runInSandbox(sandbox, address, method);
        const { stack, exit_code } = await client.runMethodWithError(address, method);
        const items = exit_code === 0 ? Array.from({ length: stack.remaining }, () => stack.pop()) : [];
        expect([facts.address, method, exit_code, ...items.map(itemText)]).toEqual([
          facts.address,
          method,
          ...expected,
        ]);
        if (expected.length > 3) succeeded.add(`${facts.address} ${method}`);
      }
    }
    expect([...succeeded]).toEqual(
      expect.arrayContaining([`${POOL} get_jetton_data`, `${USDT_WALLET} get_wallet_data`]),
    );
  });

  it('gives tonweb the balances and tokens of the sandbox', async ({ skip }) => {
    const tonweb = await openTonWeb();
    if (!tonweb) return skip('tonweb could not be fetched');
    const provider = new tonweb.HttpProvider(`${chain.apiV2}/jsonRPC`);
    for (const { facts } of loaded) expect(await provider.getBalance!(facts.address)).toBe(facts.balance);
    const sandbox = await wholeSandbox();
    const stackOf = async (at: string, method: string) =>
      (await sandbox.runGetMethod(Address.parse(at), method)).stackReader;
    const { JettonMinter, JettonWallet } = tonweb.token.jetton;
    const { NftCollection, NftItem } = tonweb.token.nft;
    let seen = 0;
    for (const [address, method] of tokenCalls()) {
      const stack = await stackOf(address, method);
      const found: unknown[] = [];
      const expected: unknown[] = [];
      if (method === 'get_jetton_data') {
        const data = await new JettonMinter(provider, { address }).getJettonData();
        found.push(`${data.totalSupply}`, data.isMutable);
        expected.push(`${stack.readBigNumber()}`, stack.readBoolean());
      } else if (method === 'get_wallet_data') {
        const data = await new JettonWallet(provider, { address }).getData();
        found.push(
          `${data.balance}`,
          data.ownerAddress.toString(false),
          data.jettonMinterAddress.toString(false),
        );
        expected.push(`${stack.readBigNumber()}`, stack.readAddress().toRawString());
        expected.push(stack.readAddress().toRawString());
      } else if (method === 'get_nft_data') {
        const data = await new NftItem(provider, { address }).getData();
        found.push(data.isInitialized, data.index, data.collectionAddress.toString(false));
        expected.push(stack.readBoolean(), stack.readNumber(), stack.readAddress().toRawString());
        found.push(data.ownerAddress.toString(false));
        expected.push(stack.readAddress().toRawString());
      } else {
        const data = await new NftCollection(provider, { address }).getCollectionData();
        found.push(`${data.itemsCount}`);
        expected.push(`${stack.readBigNumber()}`);
      }
      expect([address, method, ...found]).toEqual([address, method, ...expected]);
      seen++;
    }
    expect(seen).toBe(6);
  });

  it('gives toncenter of PyPI the balances and get methods of the sandbox', async ({ skip }) => {
    const python = await packageOfPyPi('toncenter', '0.4.0');
    if (!python) return skip('toncenter could not be installed');
    const sandbox = await wholeSandbox();
    const methods = [
      ...tokenCalls(),
      ...loaded
        .filter(({ facts }) => facts.address !== MINT)
        .flatMap(({ facts }) => METHODS.map((method) => [facts.address, method] as const)),
    ];
    const balances = loaded.map(({ facts: { address } }) => [
      'v2',
      'accounts',
      'get_address_balance',
      { address },
    ]);
    const runs = methods.map(([address, method]) => [
      'v3',
      'api_v2',
      'run_get_method',
      { body: { address, method, stack: [] } },
    ]);
    const outcomes: { result?: never; error?: string }[] = await callPython(python, {
      url: chain.url,
      calls: [...balances, ...runs],
      streams: [],
    });
    expect(outcomes.flatMap(({ error }) => error ?? [])).toEqual([]);
    const results = outcomes.map(({ result }) => result!);
    expect(results.slice(0, loaded.length).map(String)).toEqual(loaded.map(({ facts }) => facts.balance));
    for (const [at, [address, method]] of methods.entries()) {
      const { exit_code, stack } = results[loaded.length + at]! as PythonRun;
      const items = exit_code === 0 ? stack.map(pythonItemText) : [];
      const expected = await runInSandbox(sandbox, Address.parse(address), method);
      expect([address, method, exit_code, ...items]).toEqual([address, method, ...expected]);
    }
  });

  it('lists the forked tokens: of codes that no table knows, and of a whole state', async () => {
    const list = async (path: string, key: string) => (await get<Record<string, object[]>>(path))[key]!;
    await expect
      .poll(() => list(`/api/v3/jetton/masters?address=${POOL}`, 'jetton_masters'))
      .toMatchObject([{ total_supply: '477446576408491', mintable: true }]);
    const { jetton, nfts } = other.tokens;
    const [master, collection] = [jetton.minter, nfts.collection].map(({ address }) =>
      toAccountName(address),
    );
    const wallets = await list(`/api/v3/jetton/wallets?jetton_address=${master}&limit=100`, 'jetton_wallets');
    expect(wallets.length).toBe(jetton.wallets.length);
    const items = await list(`/api/v3/nft/items?collection_address=${collection}&limit=100`, 'nft_items');
    expect(items.length).toBe(nfts.items.length);
  });

  it('keeps its own elector', async () => {
    const { result } = await get<{ result: string }>(`/api/v2/getAddressBalance?address=${ELECTOR}`);
    expect(BigInt(result)).toBeLessThan(2_000_000_000_000n);
  });

  it('pays to a forked wallet', async () => {
    const balance = async () =>
      BigInt((await get<{ result: string }>(`/api/v2/getAddressBalance?address=${WALLET}`)).result);
    const before = await balance();
    await chain.fund(WALLET, '3', 'hello');
    const after = await balance();
    expect(after).toBeGreaterThan(before + 2_900_000_000n);
    const { transactions } = await get<{ transactions: { description: { aborted: boolean } }[] }>(
      `/api/v3/transactions?account=${WALLET}`,
    );
    expect(transactions).toMatchObject([{ description: { aborted: false } }]);
  });

  it('has every account of a folder in its newest state, with a warning of what is left out', async () => {
    const { accounts, notices } = await readFork([join(data, 'accounts')], new Map());
    const found = accounts.map(({ address, account }) => `${toAccountName(address)} ${account.key}`);
    const named = fork.accounts.map(({ address, account }) => `${toAccountName(address)} ${account.key}`);
    expect(found.filter((one) => !one.startsWith(ELECTOR)).sort()).toEqual(named.sort());
    expect(notices).toContainEqual(
      expect.stringMatching(/^files of a folder that cannot be used: .*38ca0726/),
    );
    expect(notices).toContainEqual(expect.stringMatching(/^older states of accounts not loaded: /));
  });

  it('refuses a named file that is pruned, and a source that is no local chain', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-fork-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const folder = join(data, 'accounts');
    const pruned = readdirSync(folder).find((name) => name.startsWith('38ca0726'))!;
    const file = join(folder, pruned);
    const cut = await runCli(['up', '--data', directory, '--port', '0', '--fork', file]);
    expect(cut.code).toBe(1);
    expect(cut.stderr).toContain(`${file} cannot be used`);
    const source = `files:${join(data, 'blocks/private-localnet')}`;
    const other = await runCli(['up', '--data', directory, '--source', source, '--fork', folder]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--fork (from the command line')]);
  });
});
