/**
 * Sends five coins of a jetton with @ton/ton and waits until they have arrived.
 *
 *   npx node examples/send-jettons.ts SECRET_KEY JETTON TO [URL]
 *
 * `npm start` prints the secret key of the faucet and the address of the example jetton.
 */
import { Address, beginCell, internal, JettonMaster, TonClient, toNano, WalletContractV4 } from '@ton/ton';

const [secret = '', jetton = '', to = '', url = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const client = new TonClient({ endpoint: `${url}/api/v2/jsonRPC` });
const secretKey = Buffer.from(secret, 'hex');
const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey: secretKey.subarray(32) }));
const master = client.open(JettonMaster.create(Address.parse(jetton)));

// The transfer of TEP-74, to the jetton wallet of the sender. The jetton has nine decimals.
const body = beginCell()
  .storeUint(0x0f8a7ea5, 32)
  .storeUint(1, 64)
  .storeCoins(5_000_000_000n)
  .storeAddress(Address.parse(to))
  .storeAddress(wallet.address)
  .storeMaybeRef(null)
  .storeCoins(toNano('0.01'))
  .storeBit(false)
  .endCell();
const senderWallet = await master.getWalletAddress(wallet.address);
const messages = [internal({ to: senderWallet, value: toNano('0.1'), body })];
// The message expires by the time of the chain: after `localnet warp` it is ahead of the clock.
const { last } = (await (await fetch(`${url}/api/v3/masterchainInfo`)).json()) as {
  readonly last: { readonly gen_utime: string };
};
const timeout = Number(last.gen_utime) + 60;
await wallet.sendTransfer({ seqno: await wallet.getSeqno(), secretKey, messages, timeout });

const receiverWallet = await master.getWalletAddress(Address.parse(to));
while (!(await client.isContractDeployed(receiverWallet))) await new Promise((next) => setTimeout(next, 100));
const { stack } = await client.runMethod(receiverWallet, 'get_wallet_data');
console.log(`${to} has ${stack.readBigNumber()} of ${jetton}`);
