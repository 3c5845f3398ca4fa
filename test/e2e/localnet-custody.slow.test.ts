/** Multisigs, their orders, vesting, nominator pools, sales and auctions of a local chain: v3 against the get methods of the contracts. */
import { readFileSync } from 'node:fs';
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  Dictionary,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV3R2, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import { VESTING_CODE } from '../../src/localnet/contracts/codes/vesting-code.ts';
import type { WalletInfo } from '../../src/localnet/localnet-control.ts';
import { booked } from '../helpers/address-books.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { expectScan } from '../helpers/scan-pages.ts';
import { itWithData } from '../helpers/shared-data.ts';
import {
  AUCTION_CODE,
  auctionInit,
  handOver,
  SALE_CODE,
  type StackEntry,
  saidBySale,
  saleInit,
} from './sale-contracts.ts';

/** An answer with its address book. */
type Booked = Fields & { readonly address_book: object };
type Fields = Record<string, unknown>;
const raw = (address: Address) => address.toRawString().toUpperCase();
const WAIT = { timeout: 240_000, interval: 300 };

describe('contracts of a local chain that hold coins of several owners', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let client: TonClient;
  let multisig: Address;
  let vesting: Address;
  beforeAll(async () => {
    api = await openLocalApi();
    client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC`, timeout: 30_000 });
    const named = (name: string) => {
      const { workchain, address } = api.control.info.contracts.find((one) => one.name === name)!.address;
      return new Address(workchain, Buffer.from(address));
    };
    [multisig, vesting] = [named('multisig'), named('vesting')];
    await vi.waitFor(
      async () => expect((await v3('vesting?contract_address=', vesting)).status).toBe(200),
      WAIT,
    );
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  async function v3<T extends object>(path: string, address?: Address) {
    const reply = await fetch(`${api.url}/api/v3/${path}${address ? address.toRawString() : ''}`);
    return { status: reply.status, json: (await reply.json()) as T };
  }
  const signers = () =>
    api.control.info.wallets.map(
      ({ address }) => new Address(address.workchain, Buffer.from(address.address)),
    );

  /** Sends from a wallet of the chain; resolves when its seqno shows that it was accepted. */
  async function send(info: WalletInfo, messages: MessageRelaxed[]): Promise<void> {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(info.secretKey.slice(0, 64), 'hex'));
    const kind = info.version === 'v3r2' ? WalletContractV3R2 : WalletContractV4;
    const wallet = client.open(kind.create({ workchain: 0, publicKey }));
    const seqno = await wallet.getSeqno();
    await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
    await vi.waitFor(async () => expect(await wallet.getSeqno()).toBe(seqno + 1), WAIT);
  }

  /**
   * Expects `/actions` to have these actions of an account and a type, once all of them are there, oldest first:
   * success and details of each.
   */
  async function actionsTold(
    account: Address,
    type: string,
    expected: readonly (readonly [boolean, Fields])[],
  ) {
    const path = `actions?account=${account.toRawString()}&action_type=${type}&sort=asc`;
    await vi.waitFor(async () => {
      const { actions } = (await v3<{ actions: ActionAnswer[] }>(path)).json;
      expect(actions.map(({ success, details }) => [success, details])).toMatchObject(expected);
    }, WAIT);
  }
  const addressOf = ({ address: { workchain, address } }: Pick<WalletInfo, 'address'>) =>
    raw(new Address(workchain, Buffer.from(address)));

  const orders = async (query: string) =>
    (await v3<{ orders: Fields[] }>(`multisig/orders?${query}`)).json.orders;

  it('returns a multisig as its get method does, by its address and by its signers', async () => {
    const { stack } = await client.runMethod(multisig, 'get_multisig_data');
    const [next, threshold] = [stack.readBigNumber(), stack.readNumber()];
    const { json } = await v3<{ multisigs: Fields[]; address_book: Fields }>(
      'multisig/wallets?address=',
      multisig,
    );
    const [found] = json.multisigs;
    expect(found).toMatchObject({
      address: raw(multisig),
      next_order_seqno: `${next}`,
      threshold,
      signers: signers().map(raw),
      proposers: [],
      orders: null,
    });
    expect(Object.keys(json.address_book).sort()).toEqual([raw(multisig), ...signers().map(raw)].sort());
    for (const query of [
      `wallet_address=${signers()[0]}`,
      `wallet_address=${signers()[3]}&address=${multisig}`,
      'limit=1024',
    ]) {
      const other = await v3<{ multisigs: Fields[] }>(`multisig/wallets?${query}`);
      expect([query, other.json.multisigs]).toEqual([query, [found]]);
    }
    const nobody = await v3<{ multisigs: Fields[] }>('multisig/wallets?wallet_address=', multisig);
    expect(nobody.json.multisigs).toEqual([]);
  });

  it('shows an order as it is made and approved, and what it does', async () => {
    const { wallets, faucet } = api.control.info;
    const [, second, third] = wallets as [WalletInfo, WalletInfo, WalletInfo];
    const to = new Address(0, Buffer.alloc(32, 7));
    const message = beginCell()
      .store(storeMessageRelaxed(internal({ to, value: toNano('2'), bounce: false, body: 'by two' })))
      .endCell();
    const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(1, 8).storeRef(message).endCell();
    const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell()).set(0, action);
    const order = beginCell().storeDictDirect(actions).endCell();
    const { stack } = await client.runMethod(multisig, 'get_multisig_data');
    const seqno = stack.readBigNumber();
    const expires = Math.floor(Date.now() / 1000) + 86_400;
    const create = beginCell()
      .storeUint(0xf718510f, 32)
      .storeUint(1, 64)
      .storeUint(seqno, 256)
      .storeBit(true)
      .storeUint(2, 8)
      .storeUint(expires, 48)
      .storeRef(order)
      .endCell();
    await send(third, [internal({ to: multisig, value: toNano('1'), body: create })]);
    const asked = `multisig_address=${multisig}&parse_actions=true`;
    await vi.waitFor(async () => expect(await orders(asked)).toHaveLength(1), WAIT);
    const [made] = await orders(asked);
    const at = Address.parseRaw(made!.address as string);
    expect(made).toEqual({
      address: raw(at),
      multisig_address: raw(multisig),
      order_seqno: `${seqno}`,
      threshold: 2,
      sent_for_execution: false,
      approvals_mask: '4',
      approvals_num: 1,
      expiration_date: expires,
      order_boc: order.toBoc().toString('base64'),
      signers: signers().map(raw),
      last_transaction_lt: expect.any(String),
      code_hash: expect.any(String),
      data_hash: expect.any(String),
      actions: [
        expect.objectContaining({
          destination: raw(to),
          value: `${toNano('2')}`,
          parsed_body: { comment: 'by two', encrypted: false },
          parsed_body_type: 'ton_transfer',
          send_mode: 1,
        }),
      ],
    });
    const approve = beginCell().storeUint(0xa762230f, 32).storeUint(2, 64).storeUint(1, 8).endCell();
    await send(second, [internal({ to: at, value: toNano('1'), body: approve })]);
    await vi.waitFor(
      async () => expect((await orders(`address=${at}`))[0]).toMatchObject({ sent_for_execution: true }),
      WAIT,
    );
    await actionsTold(multisig, 'multisig_create_order', [
      [
        true,
        {
          query_id: '1',
          order_seqno: `${seqno}`,
          is_created_by_signer: true,
          is_signed_by_creator: true,
          creator_index: 2,
          expiration_date: expires,
          source: addressOf(third),
          destination: raw(multisig),
          destination_order: raw(at),
        },
      ],
    ]);
    await actionsTold(at, 'multisig_execute', [
      [true, { order_seqno: `${seqno}`, approvals_num: 2, source: raw(at), destination: raw(multisig) }],
    ]);
    // It was sent already: the vote comes too late.
    await send(third, [internal({ to: at, value: toNano('1'), body: approve })]);
    const vote = { signer_index: 1, source: addressOf(third), destination: raw(at) };
    await actionsTold(at, 'multisig_approve', [[false, { ...vote, exit_code: 106 }]]);
    // Cells of order and multisig that a block left out are put back, and the data agree with the get methods.
    const data = (await client.runMethod(at, 'get_order_data')).stack;
    const [parent, number, threshold, isSent] = [
      data.readAddress(),
      data.readBigNumber(),
      data.readNumber(),
      data.readBoolean(),
    ];
    data.skip();
    expect((await orders(`address=${at}`))[0]).toMatchObject({
      multisig_address: raw(parent),
      order_seqno: `${number}`,
      threshold,
      sent_for_execution: isSent,
      approvals_mask: `${data.readBigNumber()}`,
      approvals_num: data.readNumber(),
      expiration_date: data.readNumber(),
      order_boc: data.readCell().toBoc().toString('base64'),
      actions: null,
    });
    const { json } = await v3<Booked & { multisigs: Fields[] }>('multisig/wallets?address=', multisig);
    expect(Object.keys(json.address_book).sort()).toEqual(booked('multisig/wallets', json));
    const told = (await v3<Booked>(`multisig/orders?parse_actions=true&address=${at}`)).json;
    expect(Object.keys(told.address_book).sort()).toEqual(booked('orders', told));
    expect(booked('orders', told)).toEqual([...signers(), at, multisig].map(raw).sort());
    expect(json.multisigs[0]).toMatchObject({
      next_order_seqno: `${seqno + 1n}`,
      signers: signers().map(raw),
    });
    expect(json.multisigs[0]?.orders).toEqual(await orders(`address=${at}`));
    const without = await v3<{ multisigs: Fields[] }>(
      `multisig/wallets?include_orders=false&address=`,
      multisig,
    );
    expect(without.json.multisigs[0]?.orders).toEqual([]);
    expect(await orders(`multisig_address=${faucet.address.workchain}:${'1'.repeat(64)}`)).toEqual([]);
  });

  it('shows vesting by owner, sender and whitelist', async () => {
    const { faucet } = api.control.info;
    const friend = new Address(0, Buffer.alloc(32, 8));
    const add = beginCell().storeUint(0x7258a69b, 32).storeUint(1, 64).storeAddress(friend).endCell();
    await send(faucet, [internal({ to: vesting, value: toNano('0.1'), body: add })]);
    const byFriend = `vesting?wallet_address=${friend}`;
    await vi.waitFor(async () => {
      const { json } = await v3<{ vesting_contracts: Fields[] }>(`${byFriend}&check_whitelist=true`);
      expect(json.vesting_contracts).toHaveLength(1);
    }, WAIT);
    await actionsTold(vesting, 'vesting_add_whitelist', [
      [
        true,
        { query_id: '1', accounts_added: [raw(friend)], source: addressOf(faucet), vesting: raw(vesting) },
      ],
    ]);
    const { stack } = await client.runMethod(vesting, 'get_vesting_data');
    const { json } = await v3<{ vesting_contracts: Fields[]; address_book: Fields }>(
      'vesting?contract_address=',
      vesting,
    );
    const expected = {
      address: raw(vesting),
      start_time: stack.readNumber(),
      total_duration: stack.readNumber(),
      unlock_period: stack.readNumber(),
      cliff_duration: stack.readNumber(),
      total_amount: `${stack.readBigNumber()}`,
      sender_address: raw(stack.readAddress()),
      owner_address: raw(stack.readAddress()),
      whitelist: [raw(friend)],
    };
    expect(json.vesting_contracts).toEqual([expected]);
    const named = [raw(vesting), expected.sender_address, expected.owner_address, raw(friend)];
    expect(booked('vesting', json)).toEqual([...new Set(named)].sort());
    expect(Object.keys(json.address_book).sort()).toEqual(booked('vesting', json));
    for (const wallet of [expected.sender_address, expected.owner_address]) {
      const found = await v3<{ vesting_contracts: Fields[] }>(`vesting?wallet_address=${wallet}`);
      expect(found.json.vesting_contracts).toEqual([expected]);
    }
    expect((await v3<{ vesting_contracts: Fields[] }>(byFriend)).json.vesting_contracts).toEqual([]);
  });

  it('shows names that are changed, by their owner and by another account', async () => {
    const { faucet, wallets } = api.control.info;
    const { json } = await v3<{ records: Fields[] }>('dns/records?domain=faucet.ton');
    const item = Address.parseRaw(json.records[0]!.nft_item_address as string);
    const key = Buffer.alloc(32, 5);
    const change = (record: Cell | null) => {
      const body = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(3, 64).storeBuffer(key);
      if (record) body.storeRef(record);
      return internal({ to: item, value: toNano('0.1'), body: body.endCell() });
    };
    const site = beginCell().storeUint(0xad01, 16).storeBuffer(Buffer.alloc(32, 9)).storeUint(0, 8).endCell();
    await send(faucet, [change(site)]);
    const common = { asset: raw(item), source: addressOf(faucet) };
    const value = { sum_type: 'DNSAdnlAddress', dns_adnl_address: '09'.repeat(32), flags: 0 };
    const changed = { ...common, key: key.toString('hex'), value };
    await actionsTold(item, 'change_dns', [[true, changed]]);
    // Other accounts may not: it fails, and bounces.
    await send(wallets[1]!, [change(site)]);
    const refused = { ...changed, source: addressOf(wallets[1]!) };
    await actionsTold(item, 'change_dns', [
      [true, changed],
      [false, refused],
    ]);
    await send(faucet, [change(null)]);
    await actionsTold(item, 'delete_dns', [[true, { ...common, hash: key.toString('hex') }]]);
  });

  it('lists vesting in the order of first sight, not of addresses', async () => {
    const { faucet } = api.control.info;
    const sender = new Address(faucet.address.workchain, Buffer.from(faucet.address.address));
    const code = Cell.fromBase64(VESTING_CODE);
    const dataAt = (start: number) => {
      const schedule = beginCell().storeUint(start, 64).storeUint(100, 32).storeUint(10, 32).storeUint(0, 32);
      const parties = schedule.storeCoins(1n).storeAddress(sender).storeAddress(sender);
      return beginCell().storeRef(parties).storeBit(false).endCell();
    };
    const isBefore = (start: number) =>
      Buffer.compare(contractAddress(0, { code, data: dataAt(start) }).hash, vesting.hash) < 0;
    // Half of all addresses are before another, or for a low one one of a thousand.
    const start = Array.from({ length: 100_000 }, (_, i) => i).find(isBefore);
    const init = { code, data: dataAt(start!) };
    const later = contractAddress(0, init);
    const body = beginCell().storeUint(0x7258a69b, 32).storeUint(1, 64).storeAddress(sender).endCell();
    await send(faucet, [internal({ to: later, value: toNano('0.2'), bounce: false, init, body })]);
    const list = async (more = '') => {
      const path = `vesting?contract_address=${later.toRawString()},${vesting.toRawString()}${more}`;
      const { json } = await v3<{ vesting_contracts: Fields[] }>(path);
      return json.vesting_contracts.map(({ address }) => address);
    };
    await vi.waitFor(async () => expect(await list()).toHaveLength(2), WAIT);
    expect(await list()).toEqual([raw(vesting), raw(later)]);
    expect(await list('&limit=1&offset=1')).toEqual([raw(later)]);
  });

  itWithData('shows a nominator pool with the published code', async (shared) => {
    const hash = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf';
    const code = Cell.fromBoc(readFileSync(`${shared}/contracts/code/${hash}.boc`))[0]!;
    const nominator = new Address(0, Buffer.alloc(32, 6));
    const entries = Dictionary.empty<Buffer, bigint>(Dictionary.Keys.Buffer(32), {
      serialize: (amount, builder) => builder.storeCoins(amount).storeCoins(50n),
      parse: (slice) => slice.loadCoins(),
    }).set(nominator.hash, 700n);
    const config = beginCell().storeBuffer(Buffer.alloc(32, 3)).storeUint(4_000, 16).storeUint(40, 16);
    const data = beginCell()
      .storeUint(0, 8)
      .storeUint(1, 16)
      .storeCoins(0)
      .storeCoins(900n)
      .storeRef(config.storeCoins(1_000n).storeCoins(10n).endCell())
      .storeDict(entries)
      .storeBit(false)
      .storeUint(0n, 32 + 256 + 8 + 32 + 32)
      .storeBit(false)
      .endCell();
    const init = { code, data };
    const pool = contractAddress(-1, init);
    await send(api.control.info.faucet, [internal({ to: pool, value: toNano('30'), bounce: false, init })]);
    const path = 'staking/nominatorPools';
    await vi.waitFor(async () => expect((await v3(`${path}/pool?pool=`, pool)).status).toBe(200), WAIT);
    const { json } = await v3<Fields>(`${path}/pool?pool=`, pool);
    expect(json).toMatchObject({
      state: 0,
      validator_amount: '900',
      validator_address: `-1:${'03'.repeat(32)}`,
      validator_reward_share: 4_000,
      nominators_count: 1,
      max_nominators_count: 40,
      active_nominators: [{ address: raw(nominator), balance: '700', pending_balance: '50' }],
    });
    const own = await v3<Fields>(`${path}/nominator?nominator=`, nominator);
    expect(own.json).toMatchObject({
      nominator_pools: [{ pool_address: raw(pool), balance: '700', pending_balance: '50' }],
    });

    // Two deposits of one message reach the pool in one block: the state between them is in no block.
    const { faucet } = api.control.info;
    const from = raw(new Address(faucet.address.workchain, Buffer.from(faucet.address.address)));
    const letter = (text: string, value: string) => internal({ to: pool, value: toNano(value), body: text });
    await send(faucet, [letter('d', '51'), letter('d', '61')]);
    const events = async (query = '') =>
      (await v3<{ events: Fields[] }>(`${path}/nominatorEvents?pool=${pool.toRawString()}${query}`)).json
        .events;
    await vi.waitFor(async () => expect(await events()).toHaveLength(2), WAIT);
    await send(faucet, [letter('w', '1'), letter('x', '1')]);
    await vi.waitFor(async () => expect(await events()).toHaveLength(3), WAIT);
    const shown = (await events()).map(
      ({ type, nominator_address: who, amount, balance_before, balance_after }) => [
        type,
        who,
        amount,
        balance_before,
        balance_after,
      ],
    );
    const coins = (value: string) => `${toNano(value)}`;
    expect(shown).toEqual([
      ['withdrawal', from, coins('110'), coins('110'), '0'],
      ['deposit', from, coins('60'), coins('50'), coins('110')],
      ['deposit', from, coins('50'), '0', coins('50')],
    ]);
    const stake = { provider: 'nominator', stake_holder: from, pool: raw(pool), asset: null };
    await actionsTold(pool, 'stake_deposit', [
      [true, { ...stake, amount: coins('51') }],
      [true, { ...stake, amount: coins('61') }],
    ]);
    await actionsTold(pool, 'stake_withdrawal', [[true, { ...stake, payout_nft: null }]]);
    const [last, , first] = await events();
    expect(await events(`&nominator=${from}&limit=1`)).toEqual([last]);
    // Two of them are of one second.
    const scanned = `${path}/nominatorEvents?pool=${pool.toRawString()}`;
    for (const list of [scanned, `${scanned}&nominator=${from}`])
      await expectScan((asked) => v3(asked), {
        path: list,
        key: 'events',
        of: ({ tx_hash, type, amount }) => `${tx_hash} ${type} ${amount}`,
        others: [`${list}&start_utime=1`],
        least: 3,
        isByCursorAlone: true,
      });
    expect(await events(`&nominator=${raw(nominator)}`)).toEqual([]);
    expect(await events(`&end_utime=${Number(first?.utime) - 1}`)).toEqual([]);
    expect(await events(`&start_utime=${String(last?.utime)}&limit=1`)).toEqual([last]);
    // The validator's own coins did not change, and nothing was earned.
    const validator = `-1:${'03'.repeat(32)}`;
    for (const [route, field] of [
      [`validatorEvents?validator=${validator}`, 'events'],
      [`validatorRewards?validator=${validator}&pool=${pool.toRawString()}`, 'rewards'],
      [`nominatorRewards?nominator=${from}&pool=${pool.toRawString()}`, 'rewards'],
    ] as const)
      expect(await v3<Fields>(`${path}/${route}`)).toMatchObject({ status: 200, json: { [field]: [] } });
  });

  /** A sale or an auction as v3 has it, once it agrees with its get method at the newest block. */
  async function agreed(address: Address): Promise<Fields> {
    let told: Fields | undefined;
    await vi.waitFor(async () => {
      const { last } = (await v3<{ last: { seqno: number } }>('masterchainInfo')).json;
      const body = JSON.stringify({
        address: raw(address),
        method: 'get_sale_data',
        stack: [],
        seqno: last.seqno,
      });
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${api.url}/api/v2/runGetMethod`, { method: 'POST', headers, body });
      const { result } = (await reply.json()) as { result: { exit_code: number; stack: StackEntry[] } };
      const answer = (await v3<Booked & { nft_sales: Fields[] }>('nft/sales?address=', address)).json;
      [told] = answer.nft_sales;
      expect(Object.keys(answer.address_book).sort()).toEqual(booked('nft/sales', answer));
      expect(result.exit_code).toBe(0);
      expect(told).toMatchObject({ address: raw(address), ...saidBySale(result.stack) });
    }, WAIT);
    return told!;
  }
  const itemOf = async (address: Address) =>
    (await v3<{ nft_items: Fields[] }>('nft/items?address=', address)).json.nft_items[0]!;
  /** The item after its owner has become this one. */
  async function ownedBy(item: Address, owner: Address): Promise<Fields> {
    await vi.waitFor(
      async () => expect(await itemOf(item)).toMatchObject({ owner_address: raw(owner) }),
      WAIT,
    );
    return itemOf(item);
  }

  itWithData('shows a sale from its beginning to its end, cancelled and sold', async (shared) => {
    const { faucet: seller, wallets } = api.control.info;
    const [, maker, buyer] = wallets as [WalletInfo, WalletInfo, WalletInfo];
    const [market, owner, other] = [maker, seller, buyer].map(
      ({ address }) => new Address(address.workchain, Buffer.from(address.address)),
    ) as [Address, Address, Address];
    const items = await v3<{ nft_items: Fields[] }>('nft/items?limit=1000&owner_address=', owner);
    const name = items.json.nft_items.find(({ content }) => /^Postcard/.test(`${(content as Fields).name}`));
    const item = Address.parseRaw(name!.address as string);
    const code = (hash: string) => Cell.fromBoc(readFileSync(`${shared}/contracts/code/${hash}.boc`))[0]!;
    const offer = { market, item, createdAt: Math.floor(Date.now() / 1_000) };
    const putOn = async (init: { code: Cell; data: Cell }, by: WalletInfo, isAuction: boolean) => {
      const address = contractAddress(0, init);
      const body = beginCell().storeUint(1, 32).storeUint(0, 64).endCell();
      await send(maker, [internal({ to: address, value: toNano('0.5'), bounce: false, init, body })]);
      expect(await agreed(address)).toMatchObject({ nft_address: raw(item) });
      const from = new Address(by.address.workchain, Buffer.from(by.address.address));
      await send(by, [internal({ to: item, value: toNano('0.5'), body: handOver(address, from) })]);
      expect(await ownedBy(item, address)).toMatchObject({
        on_sale: true,
        real_owner: raw(from),
        [isAuction ? 'auction_contract_address' : 'sale_contract_address']: raw(address),
      });
      expect(await agreed(address)).toMatchObject({
        nft_owner_address: raw(from),
        nft_item: { on_sale: true },
      });
      return address;
    };
    const say = (op: number) => beginCell().storeUint(op, 32).storeUint(0, 64).endCell();

    const kept = await putOn(saleInit(code(SALE_CODE), offer), seller, false);
    expect(await agreed(kept)).toMatchObject({ type: 'getgems_sale', details: { is_complete: false } });
    await send(seller, [internal({ to: kept, value: toNano('1.2'), body: say(3) })]);
    expect(await ownedBy(item, owner)).toMatchObject({ on_sale: false, owner_address: raw(owner) });
    expect(await agreed(kept)).toMatchObject({ details: { is_complete: true } });
    const closed = { nft_item: raw(item), marketplace: null };
    const ended = {
      ...closed,
      owner: raw(owner),
      sale_address: raw(kept),
      marketplace_address: raw(market),
    };
    await actionsTold(kept, 'nft_cancel_sale', [[true, ended]]);

    const sold = await putOn(
      saleInit(code(SALE_CODE), { ...offer, createdAt: offer.createdAt - 1 }),
      seller,
      false,
    );
    // As marketplace wallets buy: only coins.
    await send(buyer, [internal({ to: sold, value: toNano('4.5') })]);
    expect(await ownedBy(item, other)).toMatchObject({ on_sale: false, owner_address: raw(other) });
    expect(await agreed(sold)).toMatchObject({ details: { is_complete: true } });

    const end = { endsAt: offer.createdAt + 86_400 };
    const called = await putOn(auctionInit(code(AUCTION_CODE), { ...offer, ...end }), buyer, true);
    await send(buyer, [internal({ to: called, value: toNano('1.2'), body: comment('cancel') })]);
    expect(await ownedBy(item, other)).toMatchObject({ on_sale: false });
    expect(await agreed(called)).toMatchObject({ type: 'getgems_auction', details: { is_canceled: true } });

    const later = { ...offer, ...end, createdAt: offer.createdAt - 1 };
    const won = await putOn(auctionInit(code(AUCTION_CODE), later), buyer, true);
    await send(seller, [internal({ to: won, value: toNano('3.5') })]);
    await vi.waitFor(
      async () => expect(await agreed(won)).toMatchObject({ details: { last_bid: `${toNano('3.5')}` } }),
      WAIT,
    );
    expect(await agreed(won)).toMatchObject({ details: { last_member: raw(owner), end_flag: false } });
    const bid = { auction: raw(won), nft_item: raw(item), bidder: raw(owner) };
    await actionsTold(won, 'auction_bid', [[true, { ...bid, amount: `${toNano('3.5')}` }]]);
    // The greatest bid ends it at once.
    await send(seller, [internal({ to: won, value: toNano('12') })]);
    expect(await ownedBy(item, owner)).toMatchObject({ on_sale: false, owner_address: raw(owner) });
    expect(await agreed(won)).toMatchObject({ details: { end_flag: true, is_canceled: false } });
    const purchase = { nft_item: raw(item), is_purchase: true };
    await actionsTold(item, 'nft_purchase', [
      [
        true,
        {
          ...{ ...purchase, price: `${toNano('3')}`, marketplace_address: raw(market) },
          ...{ old_owner: raw(sold), new_owner: raw(other), real_old_owner: raw(owner) },
          payout_address: raw(owner),
        },
      ],
      [
        true,
        {
          // The auction keeps a coin of each bid for its costs.
          ...{ ...purchase, price: `${toNano('11')}`, marketplace_address: raw(market) },
          ...{ old_owner: raw(won), new_owner: raw(owner), real_old_owner: raw(other) },
          payout_address: raw(other),
        },
      ],
    ]);
    await actionsTold(called, 'nft_cancel_auction', [
      [true, { ...closed, owner: raw(other), auction_address: raw(called) }],
    ]);
  });

  it.each([
    ['vesting', 422, 'at least one of contract_address or wallet_address is required'],
    [
      `vesting?contract_address=0:${'1'.repeat(64)}&wallet_address=0:${'1'.repeat(64)}`,
      422,
      'only one of contract_address or wallet_address should be specified',
    ],
    ['multisig/orders?limit=1025', 422, 'limit is not allowed: 1025 > 1024'],
    ['multisig/wallets?limit=1025', 422, 'limit is not allowed: 1025 > 1024'],
    ['staking/nominatorPools/pool', 422, 'pool parameter is required'],
    [`staking/nominatorPools/pool?pool=0:${'1'.repeat(64)}`, 404, 'Pool not found'],
    ['staking/nominatorPools/nominator', 422, 'nominator parameter is required'],
    ['staking/nominatorPools/nominatorEvents', 422, 'pool parameter is required'],
    [
      `staking/nominatorPools/nominatorEvents?pool=0:${'1'.repeat(64)}&start_utime=2&end_utime=1`,
      422,
      'start_utime must be less than or equal to end_utime',
    ],
    [
      `staking/nominatorPools/nominatorEvents?pool=0:${'1'.repeat(64)}&limit=1001`,
      422,
      'limit is not allowed: 1001 > 1000',
    ],
    [
      `staking/nominatorPools/nominatorRewards?pool=0:${'1'.repeat(64)}`,
      422,
      'nominator and pool parameters are required',
    ],
    ['staking/nominatorPools/validatorEvents', 422, 'validator or pool parameter is required'],
    [
      `staking/nominatorPools/validatorRewards?validator=0:${'1'.repeat(64)}`,
      422,
      'validator and pool parameters are required',
    ],
  ])('refuses %s', async (path, status, error) => {
    expect(await v3(path)).toEqual({ status, json: { code: status, error } });
  });
});
