/** A jetton is minted and handed on with the published client @ton/ton, and read back by it and by plain requests. */
import {
  Address,
  beginCell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';

interface Owner {
  readonly contract: WalletContractV4;
  readonly secretKey: Buffer;
}

describe('a jetton of a local chain', { timeout: 300_000 }, () => {
  let api: LocalApi;
  let client: TonClient;
  beforeAll(async () => {
    api = await openLocalApi();
    client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC` });
  }, 300_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const ownerOf = (seed: Uint8Array): Owner => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(seed));
    return { contract: WalletContractV4.create({ workchain: 0, publicKey }), secretKey };
  };
  const read = async (path: string) =>
    (await (await fetch(`${api.url}/api/${path}`)).json()) as Record<string, unknown>;

  async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
    for (
      const end = Date.now() + 20_000;
      Date.now() < end;
      await new Promise((next) => setTimeout(next, 20))
    ) {
      const found = await ask();
      if (found) return found;
    }
    throw new Error('it did not come to pass');
  }

  /** Sends messages from a wallet, which deploys itself with the first; resolves when they are in a block. */
  async function send({ contract, secretKey }: Owner, messages: MessageRelaxed[]): Promise<void> {
    const wallet = client.open(contract);
    const seqno = await wallet.getSeqno();
    await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await until(async () => (await wallet.getSeqno()) === seqno + 1);
  }

  const jettonsOf = async (wallet: Address): Promise<bigint> =>
    (await client.isContractDeployed(wallet))
      ? (await client.runMethod(wallet, 'get_wallet_data')).stack.readBigNumber()
      : 0n;

  it('is minted, handed on, and read with its transactions and fees', async () => {
    const { faucet } = api.control.info;
    const admin = ownerOf(Buffer.from(faucet.secretKey.slice(0, 64), 'hex'));
    const friend = ownerOf(Buffer.alloc(32, 5));
    const other = new Address(0, Buffer.alloc(32, 9));
    const { jetton } = genesisTokens({
      seed: 'localnet',
      globalId: LOCALNET_GLOBAL_ID,
      faucet: faucet.address,
    });
    const minter = Address.parse(formatRaw(jetton.minter.address.workchain, jetton.minter.address.address));
    const master = client.open(JettonMaster.create(minter));
    const supply = (await master.getJettonData()).totalSupply;
    const [his, hers] = await Promise.all([
      master.getWalletAddress(friend.contract.address),
      master.getWalletAddress(other),
    ]);

    const mint = beginCell()
      .storeUint(0x15, 32)
      .storeUint(1, 64)
      .storeAddress(friend.contract.address)
      .storeCoins(5_000n)
      .storeCoins(toNano('0.1'))
      .endCell();
    await send(admin, [
      internal({ to: friend.contract.address, value: toNano('3'), bounce: false }),
      internal({ to: minter, value: toNano('0.3'), body: mint }),
    ]);
    await until(async () => (await jettonsOf(his)) === 5_000n);
    expect((await master.getJettonData()).totalSupply).toBe(supply + 5_000n);

    // transfer of TEP-74
    const transfer = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(2, 64)
      .storeCoins(2_000n)
      .storeAddress(other)
      .storeAddress(friend.contract.address)
      .storeMaybeRef(null)
      .storeCoins(0)
      .storeBit(false)
      .endCell();
    const message = internal({ to: his, value: toNano('0.2'), body: transfer });
    const sent = friend.contract.createTransfer({
      seqno: 0,
      secretKey: friend.secretKey,
      messages: [message],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    const estimated = await client.estimateExternalMessageFee(friend.contract.address, {
      body: sent,
      initCode: friend.contract.init.code,
      initData: friend.contract.init.data,
      ignoreSignature: true,
    });
    expect(estimated.source_fees.gas_fee).toBeGreaterThan(0);
    await send(friend, [message]);
    await until(async () => (await jettonsOf(hers)) === 2_000n);
    expect(await jettonsOf(his)).toBe(3_000n);

    const [newest] = await client.getTransactions(hers, { limit: 1 });
    expect(`${newest?.inMessage?.info.src}`).toBe(`${his}`);
    expect(newest?.totalFees.coins).toBeGreaterThan(0n);
    const { transactions } = (await read(`v3/transactions?account=${hers.toRawString()}&limit=1`)) as {
      transactions: { hash: string; total_fees: string; in_msg: { source: string } }[];
    };
    expect(transactions[0]).toMatchObject({
      hash: newest?.hash().toString('base64'),
      total_fees: `${newest?.totalFees.coins}`,
      in_msg: { source: his.toRawString().toUpperCase() },
    });
    const { result } = (await read(`v2/getTokenData?address=${hers}`)) as { result: { balance: string } };
    expect(result.balance).toBe('2000');
    const left = (await read(`v2/getAddressBalance?address=${friend.contract.address}`)).result as string;
    expect(BigInt(left)).toBe(await client.getBalance(friend.contract.address));
    // The same message again is refused: its number is used up.
    const again = beginCell()
      .store(storeMessage(external({ to: friend.contract.address, body: sent })))
      .endCell();
    await expect(client.sendFile(again.toBoc())).rejects.toThrow();
  });
});
