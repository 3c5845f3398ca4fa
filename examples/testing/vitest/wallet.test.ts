/** vitest: a transfer with @ton/ton, and a state that is put back. Run: `npx vitest run`. */
import { Address, internal, SendMode, TonClient, toNano, WalletContractV4 } from '@ton/ton';
import { type Localnet, startLocalnet } from 'tonhouse/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const RECEIVER = `0:${'5'.repeat(64)}`;
let chain: Localnet;

beforeAll(async () => {
  chain = await startLocalnet();
}, 600_000);
afterAll(() => chain?.stop(), 600_000);

it('sends coins from a wallet of the chain', { timeout: 600_000 }, async () => {
  const client = new TonClient({ endpoint: `${chain.apiV2}/jsonRPC` });
  const account = chain.accounts.find(({ name }) => name === 'wallet-v4r2')!;
  const secretKey = Buffer.from(account.secretKey, 'hex');
  const publicKey = Buffer.from(account.publicKey, 'hex');
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const messages = [internal({ to: RECEIVER, value: toNano('1.5'), bounce: false })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  await wallet.sendTransfer({ seqno: await wallet.getSeqno(), secretKey, messages, sendMode });
  await chain.mine(2);
  expect(await client.getBalance(Address.parse(RECEIVER))).toBe(toNano('1.5'));
});

it('puts a state back', { timeout: 600_000 }, async () => {
  const client = new TonClient({ endpoint: `${chain.apiV2}/jsonRPC` });
  const balance = () => client.getBalance(Address.parse(RECEIVER));
  const before = await balance();
  const id = await chain.snapshot();
  await chain.fund(RECEIVER, '2');
  // The account pays for its storage, some nanotons.
  expect(await balance()).toBeGreaterThan(before + toNano('1.99'));
  await chain.revert(id);
  expect(await balance()).toBe(before);
});
