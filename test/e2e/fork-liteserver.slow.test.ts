/** `--fork liteserver --at`: a chain that is forked from another local chain by its lite server. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Address, beginCell, internal, SendMode, toNano } from '@ton/core';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LiteConnection } from '../../src/liteapi/lite-connection.ts';
import { LiteServerError } from '../../src/liteapi/lite-errors.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { type Localnet, startLocalnet } from '../../src/testing/testing.ts';
import { toAccountName } from '../../src/ton/store/store-address.ts';

const SEED = 'origin of a fork';
/** Other work of the machine may delay an answer. */
const PATIENT = ['--query-timeout-ms', '120000'];
const WAIT = { timeout: 120_000, interval: 200 };
const PLAIN = new Address(0, Buffer.alloc(32, 0x41));
const LATER = new Address(0, Buffer.alloc(32, 0x42));
const NEVER = new Address(0, Buffer.alloc(32, 0x43));
const UNTOUCHED = new Address(0, Buffer.alloc(32, 0x44));
const ASKED = new Address(0, Buffer.alloc(32, 0x47));
const REQUEST = { timeoutMs: 60_000 };
const ABSENT = new Address(0, Buffer.alloc(32, 0x45));

const { faucet } = genesisWallets(SEED, LOCALNET_GLOBAL_ID);
const tokens = genesisTokens({ seed: SEED, globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });
const minter = Address.parse(toAccountName(tokens.jetton.minter.address));
const owner = Address.parse(toAccountName(faucet.address));

/**
 * What an account is, without what differs between two chains: transactions and blocks. On a busy machine the block that
 * loads the account may be indexed after the time limit of a request, which is then sent again.
 */
async function stateOf(chain: Localnet, address: Address) {
  for (;;) {
    const answer = await fetch(`${chain.apiV2}/getAddressInformation?address=${address.toRawString()}`);
    const { result, error } = (await answer.json()) as { result?: Record<string, string>; error?: string };
    if (!result && error?.endsWith('is not indexed yet')) continue;
    if (!result) return { status: answer.status, error };
    const { balance, state, code, data } = result;
    return { balance, state, code, data };
  }
}

const clientOf = (chain: Localnet) => new TonClient({ endpoint: `${chain.apiV2}/jsonRPC` });
const jettonsOf = async (chain: Localnet, wallet: Address) =>
  clientOf(chain).open(JettonWallet.create(wallet)).getBalance();

describe('a chain that is forked by a lite server', { timeout: 900_000 }, () => {
  let origin: Localnet;
  let fork: Localnet;
  let at: number;
  let jettonWallet: Address;
  let before: Map<Address, Awaited<ReturnType<typeof stateOf>>>;
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-fork-'));

  beforeAll(async () => {
    origin = await startLocalnet({ seed: SEED, flags: PATIENT });
    await origin.fund(PLAIN.toString(), '7.5');
    await origin.fund(UNTOUCHED.toString(), '3');
    await origin.fund(ASKED.toString(), '4');
    jettonWallet = await clientOf(origin).open(JettonMaster.create(minter)).getWalletAddress(owner);
    before = new Map();
    for (const one of [PLAIN, minter, jettonWallet, owner, ABSENT])
      before.set(one, await stateOf(origin, one));
    at = await origin.mine(1);
    // The fork sees nothing of this.
    await origin.fund(PLAIN.toString(), '100');
    await origin.fund(LATER.toString(), '100');
    // The origin removes its own when it stops.
    const config = join(folder, 'global.config.json');
    copyFileSync(origin.liteserver.config, config);
    fork = await startLocalnet({ seed: 'a fork', fork: { globalConfig: config, at }, flags: PATIENT });
  }, 900_000);
  afterAll(async () => {
    await fork?.stop();
    await origin?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the accounts of the block, and none of later blocks', async () => {
    expect(before.get(PLAIN)).toMatchObject({ balance: '7500000000', state: 'uninitialized' });
    for (const [address, state] of before) {
      // The faucet paid for the later transfers; the fork has it as it was.
      expect([`${address}`, await stateOf(fork, address)]).toEqual([`${address}`, state]);
    }
    const none = { balance: '0', state: 'uninitialized', code: '', data: '' };
    expect(await stateOf(fork, LATER)).toEqual(none);
    const query = [minter, jettonWallet].map((one) => `address=${one.toRawString()}`).join('&');
    const statesOf = async (chain: Localnet) => {
      const answer = await fetch(`${chain.apiV3}/accountStates?${query}`);
      const { accounts } = (await answer.json()) as { accounts: Record<string, unknown>[] };
      return accounts.map(({ address, balance, code_hash, data_hash, interfaces, status }) => {
        return { address, balance, code_hash, data_hash, interfaces, status };
      });
    };
    expect(await statesOf(fork)).toEqual(await statesOf(origin));
  });

  it('runs get methods as the origin does, and lists tokens that were loaded', async () => {
    const data = async (chain: Localnet) => clientOf(chain).open(JettonMaster.create(minter)).getJettonData();
    const textOf = ({ totalSupply, adminAddress, mintable, content }: Awaited<ReturnType<typeof data>>) =>
      [totalSupply, adminAddress, mintable, content.hash().toString('hex')].join(' ');
    expect(textOf(await data(fork))).toBe(textOf(await data(origin)));
    expect(await jettonsOf(fork, jettonWallet)).toBe(await jettonsOf(origin, jettonWallet));
    const listed = async () => {
      const answer = await fetch(`${fork.apiV3}/jetton/wallets?jetton_address=${minter.toRawString()}`);
      const { jetton_wallets } = (await answer.json()) as { jetton_wallets: { address: string }[] };
      return jetton_wallets.map(({ address }) => address.toLowerCase());
    };
    await expect.poll(listed, WAIT).toEqual([jettonWallet.toRawString()]);
  });

  it('its lite server loads an account that is asked for, and never says that it is absent', async () => {
    const { port, publicKey } = fork.liteserver;
    const key = Buffer.from(publicKey, 'base64');
    const client = await LiteConnection.open({ host: '127.0.0.1', port, key }, REQUEST);
    const account = { workchain: 0, id: ASKED.hash };
    let refusals = 0;
    let absent = 0;
    const states = async () => {
      const { last: id } = await client.request('getMasterchainInfo', {}, REQUEST);
      const answer = await client
        .request('getAccountState', { id, account }, REQUEST)
        .catch((error: unknown) => {
          if (!(error instanceof LiteServerError)) throw error;
          refusals++;
          return null;
        });
      if (answer?.state.length === 0) absent++;
      return answer !== null;
    };
    try {
      await expect.poll(states, WAIT).toBe(true);
      expect(refusals).toBeGreaterThan(0);
      expect(absent).toBe(0);
    } finally {
      client.close();
    }
    expect(await stateOf(fork, ASKED)).toMatchObject({ balance: '4000000000' });
  });

  it('a wallet of the origin pays an account that nobody named before', async () => {
    const { secretKey, publicKey } = origin.accounts.find(({ version }) => version === 'v4r2')!;
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey, 'hex') });
    const opened = clientOf(fork).open(wallet);
    const to = new Address(0, Buffer.alloc(32, 0x46));
    await opened.sendTransfer({
      seqno: await opened.getSeqno(),
      secretKey: Buffer.from(secretKey, 'hex'),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to, value: toNano('2'), bounce: false })],
    });
    await expect.poll(async () => stateOf(fork, to), WAIT).toMatchObject({ balance: '2000000000' });
  });

  it('jettons move between wallets of the origin; a message loads its account', async () => {
    const friend = Address.parse(origin.accounts[1]!.address);
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(1, 64)
      .storeCoins(1_000n)
      .storeAddress(friend)
      .storeAddress(owner)
      .storeBit(false)
      .storeCoins(1n)
      .storeBit(false)
      .endCell();
    const had = await jettonsOf(fork, jettonWallet);
    const value = toNano('0.5');
    await fork.impersonate({
      from: owner.toString(),
      to: jettonWallet.toString(),
      value,
      body: body.toBoc(),
    });
    const his = await clientOf(fork).open(JettonMaster.create(minter)).getWalletAddress(friend);
    await expect.poll(() => jettonsOf(fork, his), WAIT).toBe(1_000n);
    expect(await jettonsOf(fork, jettonWallet)).toBe(had - 1_000n);
    // The notification loaded the friend, whose balance is that of the origin with the coin that came.
    const state = (await stateOf(fork, friend)) as { balance: string };
    expect(BigInt(state.balance)).toBeGreaterThan(BigInt(toNano('999999')));
  });

  it('a balance is set on the account of the origin, whose code stays', async () => {
    await fork.setBalance(minter.toString(), '55');
    const { balance: _, ...rest } = before.get(minter) as Record<string, string>;
    expect(await stateOf(fork, minter)).toEqual({ ...rest, balance: '55000000000' });
  });

  it('answers without the origin: named accounts again, also after a revert; others with an error', async () => {
    const snapshot = await fork.snapshot();
    const kept = await stateOf(fork, jettonWallet);
    // Named after the snapshot: the answers stay.
    const here = await stateOf(fork, Address.parse(origin.accounts[2]!.address));
    expect(await stateOf(fork, NEVER)).toMatchObject({ balance: '0' });
    await origin.stop();
    await fork.revert(snapshot);
    expect(await stateOf(fork, jettonWallet)).toEqual(kept);
    expect(await stateOf(fork, Address.parse(origin.accounts[2]!.address))).toEqual(here);
    expect(await stateOf(fork, NEVER)).toMatchObject({ balance: '0', state: 'uninitialized' });
    expect(await stateOf(fork, UNTOUCHED)).toMatchObject({
      status: 503,
      error: expect.stringContaining(`account ${UNTOUCHED.toRawString()} after masterchain block ${at}`),
    });
    // Messages to it wait, and the chain goes on.
    await fork.fund(UNTOUCHED.toString(), '1').catch(() => {});
    const seqno = await fork.mine(1);
    expect(await fork.mine(1)).toBeGreaterThan(seqno);
  });
});
