/** A jetton is minted and handed on with the published client @ton/ton, and read back by it and by plain requests. */
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  ExternalAddress,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openScope } from '../../src/api/query/scope.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { jettonEvents } from '../../src/api/streaming/account-events.ts';
import { readSubscription, SSE_WORDS } from '../../src/api/streaming/read-subscription.ts';
import { SubscriptionIndex } from '../../src/api/streaming/subscription-index.ts';
import { JETTON_MINTER_CODE } from '../../src/localnet/contracts/codes/jetton-minter-code.ts';
import { JETTON_WALLET_CODE } from '../../src/localnet/contracts/codes/jetton-wallet-code.ts';
import { NFT_COLLECTION_CODE } from '../../src/localnet/contracts/codes/nft-collection-code.ts';
import { NFT_ITEM_CODE } from '../../src/localnet/contracts/codes/nft-item-code.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { codeOf } from '../helpers/code-of.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { mintBody } from '../helpers/mint-body.ts';
import { expectScan } from '../helpers/scan-pages.ts';
import { testCaller } from '../helpers/test-caller.ts';
import { unknownCode } from '../helpers/unknown-code.ts';

interface Owner {
  readonly contract: WalletContractV4;
  readonly secretKey: Buffer;
}

describe('a jetton of a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let client: TonClient;
  beforeAll(async () => {
    api = await openLocalApi({ detects: true });
    client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC` });
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const raw = (address: Address) => address.toRawString().toUpperCase();
  const ownerOf = (seed: Uint8Array): Owner => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(seed));
    return { contract: WalletContractV4.create({ workchain: 0, publicKey }), secretKey };
  };
  const read = async (path: string) =>
    (await (await fetch(`${api.url}/api/${path}`)).json()) as Record<string, unknown>;

  async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
    for (
      const end = Date.now() + 240_000;
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

    const mint = mintBody(friend.contract.address, 5_000n, { value: toNano('0.1') });
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
    const told = await until(async () => {
      const answer = await read(`v3/messages?destination=${minter.toRawString()}&limit=1`);
      return Object.keys(answer.metadata as object).length > 0 && answer;
    });
    expect(told.metadata).toEqual({
      [minter.toRawString().toUpperCase()]: {
        is_indexed: true,
        token_info: [expect.objectContaining({ type: 'jetton_masters', symbol: 'LOCAL' })],
      },
    });
    for (const without of ['x_no_metadata=1', 'fields=hash'])
      expect(await read(`v3/messages?destination=${minter.toRawString()}&limit=1&${without}`)).toMatchObject({
        messages: [{ hash: expect.any(String) }],
        metadata: {},
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

  it('has its transfers and burns in lists even if its codes, or those of NFTs, are unknown', async () => {
    const admin = ownerOf(Buffer.from(api.control.info.faucet.secretKey.slice(0, 64), 'hex'));
    const own = admin.contract.address;
    const other = new Address(0, Buffer.alloc(32, 10));
    const [master, wallet, collection, item] = [
      JETTON_MINTER_CODE,
      JETTON_WALLET_CODE,
      NFT_COLLECTION_CODE,
      NFT_ITEM_CODE,
    ].map((code) => Cell.fromBase64(code)) as [Cell, Cell, Cell, Cell];
    const content = beginCell().storeUint(1, 8).storeStringTail('http://odd').endCell();
    const royalty = beginCell().storeUint(1, 16).storeUint(100, 16).storeAddress(own).endCell();
    const start = beginCell().storeAddress(own).storeRef(content).endCell();
    const mintItem = beginCell().storeUint(1, 32).storeUint(1, 64).storeUint(0, 64).storeCoins(toNano('0.2'));
    const minted = mintItem.storeRef(start).endCell();
    const deployed = [
      {
        code: unknownCode(master),
        data: beginCell().storeCoins(0).storeAddress(own).storeRef(content).storeRef(unknownCode(wallet)),
        body: mintBody(own, 5_000n, { value: toNano('0.1') }),
      },
      // An odd item of a collection that is known, and a known item of an odd collection.
      ...[
        [collection, unknownCode(item)],
        [unknownCode(collection), item],
      ].map(([code, itemCode]) => ({
        code: code!,
        data: beginCell()
          .storeAddress(own)
          .storeUint(0, 64)
          .storeRef(content)
          .storeRef(itemCode!)
          .storeRef(royalty),
        body: minted,
      })),
    ].map(({ code, data, body }) => {
      const init = { code, data: data.endCell() };
      return { address: contractAddress(0, init), init, body };
    });
    await send(
      admin,
      deployed.map(({ address, init, body }) => internal({ to: address, init, body, value: toNano('0.5') })),
    );
    const [minter, known, odd] = deployed.map(({ address }) => address) as [Address, Address, Address];
    const his = await until(() =>
      client
        .open(JettonMaster.create(minter))
        .getWalletAddress(own)
        .catch(() => null),
    );
    await until(async () => (await jettonsOf(his)) === 5_000n);
    const items = await Promise.all(
      [known, odd].map(async (address) => {
        const index = [{ type: 'int', value: 0n }] as const;
        const { stack } = await client.runMethod(address, 'get_nft_address_by_index', [...index]);
        return stack.readAddress();
      }),
    );
    for (const address of items) await until(() => client.isContractDeployed(address));

    const moving = (op: number, amount: bigint | null) => {
      const body = beginCell().storeUint(op, 32).storeUint(7, 64);
      return (amount === null ? body : body.storeCoins(amount)).storeAddress(other);
    };
    const [jettons, nfts] = [
      [1n, 2n].map((amount) => moving(0x0f8a7ea5, amount)),
      items.map(() => moving(0x5fcc3d14, null)),
    ];
    const behind = (body: ReturnType<typeof beginCell>) =>
      body.storeAddress(own).storeMaybeRef(null).storeCoins(0).storeBit(false).endCell();
    const burn = beginCell().storeUint(0x595f07bc, 32).storeUint(8, 64).storeCoins(30n).storeAddress(own);
    const burning = burn.storeMaybeRef(null).endCell();
    const to = (address: Address, body: Cell) => internal({ to: address, value: toNano('0.2'), body });
    await send(admin, [...jettons!.map((body) => to(his, behind(body))), to(his, burning), to(odd, burning)]);
    await send(
      admin,
      nfts!.map((body, i) => to(items[i]!, behind(body))),
    );

    const settings = { ...api.context.settings, responseCacheMb: 0 };
    const app = await buildServer({ ...api.context, settings });
    const get = async (path: string) => {
      const reply = await app.inject({ url: `/api/v3/${path}` });
      return { status: reply.statusCode, json: reply.json() };
    };
    const transfers = [1, 2].map((amount) => ({
      source: raw(own),
      destination: raw(other),
      source_wallet: raw(his),
      jetton_master: raw(minter),
      amount: `${amount}`,
      transaction_aborted: false,
    }));
    const burned = [{ owner: raw(own), jetton_wallet: raw(his), jetton_master: raw(minter), amount: '30' }];
    const handed = [known, odd].map((address, i) => [
      {
        nft_address: raw(items[i]!),
        nft_collection: raw(address),
        old_owner: raw(own),
        new_owner: raw(other),
      },
    ]);
    const listed = async (path: string, key: string) => (await get(`${path}&sort=asc`)).json[key];
    const ofMaster = `jetton_master=${raw(minter)}`;
    await vi.waitFor(
      async () => {
        expect(await listed(`jetton/transfers?${ofMaster}`, 'jetton_transfers')).toMatchObject(transfers);
        expect(await listed(`jetton/burns?jetton_master=${raw(minter)}`, 'jetton_burns')).toMatchObject(
          burned,
        );
        for (const [i, { address }] of deployed.slice(1).entries())
          expect(
            await listed(`nft/transfers?collection_address=${raw(address)}`, 'nft_transfers'),
          ).toMatchObject(handed[i]!);
      },
      { timeout: 240_000, interval: 500 },
    );
    const time = 'start_utime=1';
    for (const filter of [
      `jetton_wallet=${raw(his)}`,
      `owner_address=${raw(other)}&direction=in&${ofMaster}`,
      `${ofMaster}&${time}`,
      `owner_address=${raw(other)}`,
    ])
      expect(await listed(`jetton/transfers?${filter}`, 'jetton_transfers'), filter).toMatchObject(transfers);
    expect(await listed(`jetton/transfers?${ofMaster}&offset=1`, 'jetton_transfers')).toMatchObject([
      transfers[1],
    ]);
    expect(await listed('jetton/transfers?limit=1000', 'jetton_transfers')).toEqual(
      expect.arrayContaining(transfers.map((one) => expect.objectContaining(one))),
    );
    for (const [i, address] of items.entries())
      expect(await listed(`nft/transfers?item_address=${raw(address)}`, 'nft_transfers')).toMatchObject(
        handed[i]!,
      );
    const of = ({ transaction_hash: hash }: Record<string, unknown>) => String(hash);
    const scanned = { key: 'jetton_transfers', of, others: [], least: 2 };
    for (const path of ['jetton/transfers', `jetton/transfers?${ofMaster}`])
      for (const isResumable of [false, true]) {
        const sort = `sort=${isResumable ? 'asc' : 'desc'}`;
        await expectScan(get, {
          ...scanned,
          path: `${path}${path.includes('?') ? '&' : '?'}${sort}`,
          isResumable,
        });
      }
    // An account that is not detected as a wallet stays out, and so does everything without detection.
    expect(await listed(`jetton/burns?jetton_wallet=${raw(odd)}`, 'jetton_burns')).toEqual([]);
    const vector = () => ({ ...api.context.vector(), detections: { state: 'off' as const } });
    const undetecting = await buildServer({ ...api.context, vector, settings });
    const alone = await undetecting.inject(`/api/v3/jetton/transfers?${ofMaster}`);
    expect(alone.json()).toMatchObject({ jetton_transfers: [] });
    await undetecting.close();
    // Streams show a wallet after a step, not as of an earlier outcome.
    const scope = openScope(
      { ...api.context },
      { route: 'test', reads: ['base', 'contracts'], caller: testCaller() },
    );
    const [{ last_transaction_lt: lt }] = await listed(
      `jetton/wallets?address=${raw(his)}`,
      'jetton_wallets',
    );
    const asked = { types: ['jettons_change'], addresses: [raw(his)] };
    const rules = { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null };
    const index = SubscriptionIndex.of({ subscription: readSubscription(asked, rules) });
    const change = { seqno: scope.visible.last, ordinal: 1, account: raw(his), lt };
    const told = await jettonEvents(scope, [change], index);
    expect(told.map(({ event }) => JSON.parse(event.json))).toMatchObject([
      { type: 'jettons_change', jetton: { address: raw(his), jetton: raw(minter), last_transaction_lt: lt } },
    ]);
    const later = { ...change, lt: `${BigInt(lt) + 1n}` };
    expect(await jettonEvents(scope, [later], index)).toEqual([]);
    // A wallet that ends, or gets another code, takes no transfers along.
    const detections = versionDatabase(api.context.network.label, 'detections', 1);
    await api.client.command(
      `INSERT INTO ${detections}.land_token_states (mc_seqno, workchain, account, kind, lt, is_gone, since, has_parent, parent_workchain, parent)
       SELECT mc_seqno, workchain, account, kind, lt + 1, true, since, has_parent, parent_workchain, parent FROM ${detections}.tokens_latest WHERE kind = 'jetton_wallet'`,
      { route: 'test' },
    );
    expect(await listed(`jetton/wallets?address=${raw(his)}`, 'jetton_wallets')).toEqual([]);
    expect(await listed(`jetton/transfers?${ofMaster}`, 'jetton_transfers')).toMatchObject(transfers);
    await app.close();
  });

  it('has messages in its lists that name no account, or one with an anycast prefix', async () => {
    const { faucet } = api.control.info;
    const admin = ownerOf(Buffer.from(faucet.secretKey.slice(0, 64), 'hex'));
    const { jetton, nfts } = genesisTokens({
      seed: 'localnet',
      globalId: LOCALNET_GLOBAL_ID,
      faucet: faucet.address,
    });
    const [wallet, item] = [jetton.wallets[0]!, nfts.items[0]!].map(
      ({ address }) => new Address(address.workchain, Buffer.from(address.address)),
    ) as [Address, Address];
    const outside = new ExternalAddress(5n, 7);
    const body = (opcode: number) => beginCell().storeUint(opcode, 32).storeUint(9, 64);
    const burn = body(0x595f07bc).storeCoins(1n).storeAddress(outside).storeMaybeRef(null);
    const variable = beginCell().storeUint(0b110, 3).storeUint(5, 9).storeInt(0, 32).storeUint(1, 5);
    const prefixed = beginCell()
      .storeUint(0b101, 3)
      .storeUint(8, 5)
      .storeUint(0xab, 8)
      .storeInt(0, 8)
      .storeBuffer(Buffer.alloc(32, 9));
    const moved = [
      body(0x5fcc3d14).storeAddress(outside).storeBuilder(variable),
      body(0x5fcc3d14).storeBuilder(prefixed).storeAddress(null),
    ].map((one) => one.storeMaybeRef(null).storeCoins(0).storeBit(false));
    const to = (address: Address, one: ReturnType<typeof beginCell>) =>
      internal({ to: address, value: toNano('0.2'), body: one.endCell() });
    await send(admin, [to(wallet, burn), ...moved.map((one) => to(item, one))]);

    // The contracts take none of them, and both lists have what was aborted.
    const of = { query_id: '9', transaction_aborted: true };
    const listed = (path: string, key: string, count: number) =>
      until(async () => {
        const answer = await read(path);
        return (answer[key] as readonly unknown[]).length === count && answer;
      });
    const burns = await listed(`v3/jetton/burns?jetton_wallet=${raw(wallet)}`, 'jetton_burns', 1);
    expect(burns.jetton_burns).toMatchObject([{ ...of, amount: '1', response_destination: 'addr_extern' }]);
    expect(Object.keys(burns.address_book as object)).not.toContain('addr_extern');
    const handed = await listed(`v3/nft/transfers?item_address=${raw(item)}&sort=asc`, 'nft_transfers', 2);
    const rewritten = `0:AB${'09'.repeat(31)}`;
    const last = { ...of, old_owner: raw(admin.contract.address), new_owner: rewritten };
    expect(handed.nft_transfers).toMatchObject([
      { ...of, new_owner: 'addr_extern', response_destination: 'addr_var' },
      { ...last, response_destination: null },
    ]);
    expect(Object.keys(handed.address_book as object).filter((key) => !key.includes(':'))).toEqual([]);
    const received = `v3/nft/transfers?owner_address=${rewritten}&direction=in`;
    expect((await listed(received, 'nft_transfers', 1)).nft_transfers).toMatchObject([last]);
  });

  it('has its transfers in lists even if the wallet ended before it was detected', async () => {
    const admin = ownerOf(Buffer.from(api.control.info.faucet.secretKey.slice(0, 64), 'hex'));
    const own = admin.contract.address;
    // Wallet and master in one: a message with a body sends all it has to the owner, and ends it.
    const code = codeOf({
      // 55 PUSHINT, c4 PUSHCTR, CTOS, LDMSGADDR, MYADDR, SWAP, PLDREF
      get_wallet_data: '8037ed44d0fa40f82801d74c',
      // DROP, MYADDR
      get_wallet_address: '30f828',
      // SBITS, IFNOTRET; c4 PUSHCTR, CTOS, LDMSGADDR, DROP; 24 PUSHINT, NEWC, 6 STU; STSLICE; ZERO, SWAP, 111 STU; ENDC; 160 PUSHINT, SENDRAWMSG
      0: 'd749dded44d0fa40308018c8cb05ce7001cb6ec98100a0fb00',
    });
    const init = { code, data: beginCell().storeAddress(own).storeRef(Cell.EMPTY).endCell() };
    const to = contractAddress(0, init);
    await send(admin, [internal({ to, init, value: toNano('0.5'), bounce: false })]);
    await until(async () => (await jettonsOf(to)) === 55n);
    const transfer = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(9, 64).storeCoins(3n).storeAddress(own);
    const body = transfer.storeAddress(own).storeMaybeRef(null).storeCoins(0).storeBit(false).endCell();
    await send(admin, [internal({ to, body, value: toNano('0.1') })]);
    await until(async () => !(await client.isContractDeployed(to)));

    const settings = { ...api.context.settings, responseCacheMb: 0 };
    const app = await buildServer({ ...api.context, settings });
    const get = async (path: string) => (await app.inject({ url: `/api/v3/${path}` })).json();
    await vi.waitFor(
      async () => {
        const { jetton_transfers: found } = await get(`jetton/transfers?jetton_wallet=${raw(to)}`);
        expect(found).toMatchObject([
          { source: raw(own), source_wallet: raw(to), jetton_master: raw(to), amount: '3' },
        ]);
      },
      { timeout: 240_000, interval: 500 },
    );
    // It may have been detected while it was alive: its end is examined after that.
    await vi.waitFor(
      async () =>
        expect(await get(`jetton/wallets?address=${raw(to)}`)).toMatchObject({ jetton_wallets: [] }),
      { timeout: 240_000, interval: 500 },
    );
    await app.close();
  });
});
