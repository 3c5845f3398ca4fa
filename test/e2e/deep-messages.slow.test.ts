/** Messages as deep as a node takes them, sent to a local chain over HTTP: it refuses or executes them, and goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { externalMessage } from '../../src/ton/messages/external-message.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { stateInitCell } from '../../src/ton/store/store-state-init.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { accepting, deepCell, growing } from '../unit/localnet/deep-cells.ts';

const { wallets } = genesisWallets('localnet', LOCALNET_GLOBAL_ID);
const DEPTH = 440;
const absent = { workchain: 0, address: new Uint8Array(32).fill(9) };

describe('deep messages', { timeout: 600_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi();
    await api.control.mine(3);
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const post = async (message: Cell): Promise<{ status: number; error: string | undefined }> => {
    const reply = await fetch(`${api.url}/api/v2/sendBoc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ boc: Buffer.from(writeBag(message, { index: false })).toString('base64') }),
    });
    const { error } = (await reply.json()) as { error?: string };
    return { status: reply.status, error };
  };
  const send = (to: AccountAddress, body: Cell, init?: { code: Cell; data: Cell }) =>
    post(externalMessage(to, { ref: body }, init && stateInitCell(init.code, init.data)));
  const until = async (is: () => Promise<boolean>) => {
    while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const stateOf = async ({ workchain, address }: AccountAddress) => {
    const query = new URLSearchParams({ address: formatRaw(workchain, address) });
    const reply = await fetch(`${api.url}/api/v2/getAddressInformation?${query}`);
    expect(reply.status).toBe(200);
    const { result } = (await reply.json()) as { result: { state: string; balance: string; data: string } };
    return result;
  };

  it('to an absent account and to a wallet are refused with the reason, and the next block comes', async () => {
    const bytes = writeBag(externalMessage(absent, { ref: deepCell(DEPTH) }), { index: false });
    expect(bytes.length).toBeLessThan(3_200);
    for (const to of [absent, ...wallets.map(({ address }) => address)]) {
      const { status, error } = await send(to, deepCell(DEPTH));
      expect([status, error]).toEqual([500, expect.stringContaining('cannot apply external message')]);
    }
    const { mcSeqno } = await api.control.status();
    expect(await api.control.mine(1)).toBeGreaterThan(mcSeqno);
  });

  it('deeper than a node takes them are refused with the bound', async () => {
    const { status, error } = await send(absent, deepCell(513));
    expect([status, error]).toEqual([500, expect.stringMatching(/depth|deep/)]);
  });

  it.each([
    ['one that takes all', accepting],
    ['one that keeps them', growing(DEPTH)],
  ])('to a contract, %s, are in a block, and its state is answered', async (_name, contract) => {
    const { address } = contract;
    await api.control.fund(address, 5_000_000_000n);
    await until(async () => (await stateOf(address)).balance !== '0');
    const first = await send(address, deepCell(DEPTH), contract);
    expect(first).toEqual({ status: 200, error: undefined });
    await until(async () => (await stateOf(address)).state === 'active');
    const before = await api.control.account(address);
    expect(await send(address, deepCell(DEPTH, 2))).toEqual({ status: 200, error: undefined });
    await until(async () => (await api.control.account(address)).shardAccount !== before.shardAccount);
  });
});
