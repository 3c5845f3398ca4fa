import { Address, beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from '@ton/ton';
import { expect, vi } from 'vitest';
import { JETTON_MINTER_CODE } from '../../src/localnet/contracts/codes/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../../src/localnet/contracts/codes/jetton-wallet-code.ts';
import type { LocalApi } from './local-api.ts';
import { mintBody } from './mint-body.ts';

const WAIT = { timeout: 120_000, interval: 300 };
const MINTED = 5_000n;
const HANDED_ON = 2_000n;
const BURNED = 300n;

/**
 * A second jetton next to the chain's own: the faucet mints it, sends some on, and burns some. Resolves with its
 * master, raw.
 */
export async function secondJetton({ url, control }: LocalApi): Promise<string> {
  const client = new TonClient({ endpoint: `${url}/api/v2/jsonRPC`, timeout: 30_000 });
  const { publicKey, secretKey } = keyPairFromSeed(
    Buffer.from(control.info.faucet.secretKey.slice(0, 64), 'hex'),
  );
  const faucet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  const own = faucet.address;
  const init = {
    code: Cell.fromBase64(JETTON_MINTER_CODE),
    data: beginCell()
      .storeCoins(0)
      .storeAddress(own)
      .storeRef(beginCell().storeUint(1, 8).storeStringTail('https://second.example/jetton.json').endCell())
      .storeRef(Cell.fromBase64(JETTON_WALLET_CODE))
      .endCell(),
  };
  const master = contractAddress(0, init);
  const other = new Address(0, Buffer.alloc(32, 11));

  const send = async (to: Address, body: Cell, more: { init?: typeof init } = {}) => {
    const seqno = await faucet.getSeqno();
    const messages = [internal({ to, body, value: toNano('0.5'), ...more })];
    await faucet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await vi.waitFor(async () => expect(await faucet.getSeqno()).toBe(seqno + 1), WAIT);
  };
  const begun = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(1, 64);
  await send(master, mintBody(own, MINTED, { value: toNano('0.1') }), { init });
  const wallet = await vi.waitFor(() => client.open(JettonMaster.create(master)).getWalletAddress(own), WAIT);
  const holds = (amount: bigint) =>
    vi.waitFor(
      async () => expect(await client.open(JettonWallet.create(wallet)).getBalance()).toBe(amount),
      WAIT,
    );
  await holds(MINTED);
  const transfer = begun(0x0f8a7ea5).storeCoins(HANDED_ON).storeAddress(other).storeAddress(own);
  await send(wallet, transfer.storeMaybeRef(null).storeCoins(0).storeBit(false).endCell());
  await holds(MINTED - HANDED_ON);
  await send(wallet, begun(0x595f07bc).storeCoins(BURNED).storeAddress(own).storeMaybeRef(null).endCell());
  await holds(MINTED - HANDED_ON - BURNED);
  return master.toRawString().toUpperCase();
}
