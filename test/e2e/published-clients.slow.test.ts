/** Published clients, and the request sequences of published wallets, against a local chain under traffic. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Address,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { packageOfPyPi } from '../helpers/published-package.ts';
import { openSocket } from '../helpers/stream-client.ts';
import { callPython } from './published/toncenter.ts';
import { openTonWeb, type TonWeb } from './published/tonweb.ts';

/** JSON as a client reads it: a missing value throws. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what is checked
type Json = any;

const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const DIGITS = /^\d+$/;
const RAW = /^-?\d+:[0-9A-F]{64}$/;
/** An account that does not exist. */
const ABSENT_ACCOUNT = new Address(0, Buffer.alloc(32, 0x77));

describe('published clients', { timeout: 400_000 }, () => {
  let api: LocalApi;
  let tonweb: TonWeb | null;
  let python: string | null;

  beforeAll(async () => {
    [tonweb, python] = await Promise.all([openTonWeb(), packageOfPyPi('toncenter', '0.4.0')]);
    api = await openLocalApi({ traffic: 6, blockMs: 2_000, fast: false });
    const wanted = ['jetton_transfer', 'nft_transfer', 'ton_transfer'];
    await until(async () => {
      // Refused until the first actions are there. Many take some blocks: clients read the newest ones.
      const { actions = [] }: Json = await (await fetch(`${api.url}/api/v3/actions?limit=1000`)).json();
      const types = new Set(actions.map(({ type }: Json) => type));
      return actions.length > 40 && wanted.every((type) => types.has(type));
    });
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  }, 600_000);

  const get = async (path: string): Promise<Json> => read(await fetch(`${api.url}/api/${path}`));
  const post = async (path: string, body: object, headers = {}): Promise<Json> =>
    read(
      await fetch(`${api.url}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    );
  const tokens = () => {
    const { seed, faucet } = api.control.info;
    return genesisTokens({ seed, globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });
  };
  const faucet = () => raw(api.control.info.faucet.address);
  const wallet = () => {
    const { publicKey, secretKey } = api.control.info.faucet;
    const contract = WalletContractV4.create({ workchain: 0, publicKey: Buffer.from(publicKey, 'hex') });
    return { contract, secretKey: Buffer.from(secretKey, 'hex') };
  };
  /** A transfer of the faucet as wallets send it. */
  const transfer = (seqno: number, text: string): Cell => {
    const { contract, secretKey } = wallet();
    const messages = [
      internal({ to: ABSENT_ACCOUNT, value: toNano('0.1'), bounce: false, body: comment(text) }),
    ];
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    const body = contract.createTransfer({ seqno, secretKey, messages, sendMode });
    return beginCell()
      .store(storeMessage(external({ to: contract.address, body })))
      .endCell();
  };
  /** The transaction of a message, once it is served. */
  const received = (norm: string) =>
    until(
      async () =>
        (await get(`v3/transactionsByMessage?msg_hash=${encodeURIComponent(norm)}`)).transactions[0],
    );
  const seqnoOf = async () => {
    const asked = { address: faucet(), method: 'seqno', stack: [] };
    const { stack, exit_code, gas_used } = await post('v3/runGetMethod', asked);
    expect([exit_code, gas_used > 0, stack[0].type]).toEqual([0, true, 'num']);
    return Number(stack[0].value);
  };

  describe('@ton/ton', () => {
    it('reads blocks with their shards and transactions, accounts and messages', async () => {
      const client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC` });
      const { latestSeqno } = await client.getMasterchainInfo();
      let seen = 0;
      for (let seqno = latestSeqno; seqno > latestSeqno - 5 || seen === 0; seqno--) {
        for (const { workchain, shard, seqno: block } of await client.getWorkchainShards(seqno)) {
          // The client refuses blocks of more than 40 transactions, which a slow machine makes.
          const { result } = await get(
            `v2/getBlockTransactions?workchain=${workchain}&shard=${shard}&seqno=${block}&count=40`,
          );
          if (result.incomplete) continue;
          for (const { account, lt, hash } of await client.getShardTransactions(workchain, block, shard)) {
            const found = await client.getTransaction(account, lt, hash);
            expect(found?.hash().toString('base64')).toBe(hash);
            seen++;
          }
        }
      }
      const [newest] = await client.getTransactions(Address.parse(await busyAccount()), { limit: 2 });
      expect(newest?.inMessage).toBeDefined();
    });
  });

  describe('tonweb', () => {
    const provider = () => new tonweb!.HttpProvider(`${api.url}/api/v2/jsonRPC`) as Json;

    it('reads accounts, configuration and get methods', async ({ skip }) => {
      if (!tonweb) return skip('tonweb could not be fetched');
      const { address } = api.control.info.faucet;
      const info = await provider().getAddressInfo(faucet());
      expect(info).toMatchObject({ state: 'active', balance: expect.anything() });
      expect(await provider().getBalance(raw(unused()))).toBe('0');
      expect(await provider().getExtendedAddressInfo(faucet())).toMatchObject({
        '@type': 'fullAccountState',
      });
      expect(await provider().getWalletInfo(faucet())).toMatchObject({
        wallet: true,
        wallet_type: 'wallet v4 r2',
      });
      const config = await provider().getConfigParam(15);
      expect(config.bits.length).toBeGreaterThan(0);
      const { jetton, nfts } = tokens();
      const { JettonMinter, JettonWallet } = tonweb.token.jetton;
      const minter = new JettonMinter!(provider(), { address: raw(jetton.minter.address) });
      const data = await minter.getJettonData();
      expect(`${data.totalSupply}`).toMatch(DIGITS);
      expect(data.adminAddress.toString(false)).toBe(faucet().toLowerCase());
      const his = await minter.getJettonWalletAddress(new tonweb.Address(faucet()));
      const held = jettonWalletAddress(jetton.minter.address, address);
      expect(his.toString(false)).toBe(raw(held).toLowerCase());
      const jettons = await new JettonWallet!(provider(), { address: his.toString() }).getData();
      expect(jettons.ownerAddress.toString(false)).toBe(faucet().toLowerCase());
      const { NftCollection, NftItem } = tonweb.token.nft;
      const collection = new NftCollection!(provider(), { address: raw(nfts.collection.address) });
      const first = await collection.getNftItemAddressByIndex(new tonweb.utils.BN('0'));
      const item = await new NftItem!(provider(), { address: first.toString() }).getData();
      expect(item).toMatchObject({ isInitialized: true, index: 0 });
    });

    it('follows blocks and shards by its subscription', async ({ skip }) => {
      if (!tonweb) return skip('tonweb could not be fetched');
      const seen: [number, number][] = [];
      const onBlock = async ({ id }: Json) => {
        const { workchain, shard, seqno } = id;
        const { transactions } = await provider().getBlockTransactions(workchain, shard, seqno, 40);
        for (const { lt, hash, account } of transactions)
          expect([lt, hash, account]).toEqual([lt, hash, account]);
        seen.push([workchain, seqno]);
      };
      const { last } = await provider().getMasterchainInfo();
      const options = { startMcBlockNumber: last.seqno - 3, mcInterval: 100, shardsInterval: 50 };
      const blocks = new tonweb.BlockSubscription(
        provider(),
        new tonweb.InMemoryBlockStorage(),
        onBlock,
        options,
      );
      await blocks.start();
      try {
        const of = (workchain: number) => seen.filter(([one]) => one === workchain).map(([, seqno]) => seqno);
        await until(() => of(-1).length >= 4 && of(0).length >= 4);
        const [first] = of(-1);
        expect(of(-1)).toEqual(of(-1).map((_, at) => first! + at));
        expect(new Set(of(0)).size).toBe(of(0).length);
      } finally {
        blocks.stop();
      }
    });

    it('sends a transfer, and pages through the history before it', async ({ skip }) => {
      if (!tonweb) return skip('tonweb could not be fetched');
      const { publicKey, secretKey, address } = api.control.info.faucet;
      const publicBytes = Buffer.from(publicKey, 'hex');
      const his = new tonweb.Wallets.all.v4R2!(provider(), { publicKey: publicBytes, wc: 0 });
      expect((await his.getAddress()).toString(false)).toBe(raw(address).toLowerCase());
      const seqno = await his.methods.seqno().call();
      const amount = tonweb.utils.toNano('0.2');
      const method = his.methods.transfer({
        secretKey: Buffer.from(secretKey, 'hex'),
        toAddress: ABSENT_ACCOUNT.toString({ bounceable: false }),
        amount,
        seqno,
        payload: 'from tonweb',
        sendMode: 3,
      });
      const fees = await method.estimateFee();
      expect(fees.source_fees.gas_fee).toBeGreaterThan(0);
      expect(await method.send()).toMatchObject({ '@type': 'ok' });
      await until(async () => (await his.methods.seqno().call()) === seqno + 1);
      // The state is the chain's newest, which the index follows. Traffic sends to the faucet too.
      const page = await until(async () => {
        const listed: Json[] = await provider().getTransactions(faucet(), 20);
        const at = listed.findIndex(({ out_msgs }) => out_msgs[0]?.value === '200000000');
        return at === -1 ? undefined : listed.slice(0, at + 1);
      });
      const [sent] = page.at(-1)!.out_msgs;
      expect(sent).toMatchObject({ value: '200000000', msg_data: { '@type': 'msg.dataText' } });
      expect(Buffer.from(sent.message, 'base64').toString()).toBeTypeOf('string');
      const { lt, hash } = page.at(-1)!.transaction_id;
      const next = await provider().getTransactions(faucet(), 2, lt, hash);
      expect(next[0].transaction_id).toEqual({ '@type': 'internal.transactionId', lt, hash });
    });
  });

  it('toncenter of PyPI takes every answer of v2 and v3, and the streams', async ({ skip }) => {
    if (!python) return skip('toncenter could not be installed');
    const { jetton, nfts, traded } = tokens();
    const [his, master] = [faucet(), raw(jetton.minter.address)];
    const held = raw(jettonWalletAddress(jetton.minter.address, api.control.info.faucet.address));
    const collection = raw(nfts.collection.address);
    const { last } = await get('v3/masterchainInfo');
    // Traces are known a little after their transactions.
    const { transactions, inner } = await until(async () => {
      const { transactions } = await get('v3/transactions?limit=50&workchain=0');
      const inner = transactions.find(({ in_msg, trace_id }: Json) => in_msg?.source && trace_id);
      return inner && { transactions, inner };
    });
    const { hash, trace_id, in_msg, lt } = inner;
    const [shard] = (await get(`v2/shards?seqno=${last.seqno}`)).result.shards;
    const block = { workchain: shard.workchain, shard: shard.shard, seqno: shard.seqno };
    const { source, destination, created_lt } = in_msg;
    const unsent = base64(transfer(await seqnoOf(), 'estimated'));
    const body = base64(Cell.fromBase64(unsent).refs.at(-1) ?? Cell.fromBase64(unsent));
    const v2: [string, string, object][] = [
      ...[
        'get_address_information',
        'get_extended_address_information',
        'get_wallet_information',
        'get_address_balance',
        'get_address_state',
      ].map((name): [string, string, object] => ['accounts', name, { address: his }]),
      ...[master, held, collection, raw(nfts.items[0]!.address)].map((address): [string, string, object] => [
        'accounts',
        'get_token_data',
        { address },
      ]),
      ['blocks', 'get_masterchain_info', {}],
      ['blocks', 'get_consensus_block', {}],
      ['blocks', 'lookup_block', block],
      ['blocks', 'get_shards', { seqno: last.seqno }],
      ['blocks', 'get_block_header', block],
      ['blocks', 'get_out_msg_queue_size', {}],
      ['configuration', 'get_config_param', { param: 15 }],
      ['configuration', 'get_config_all', {}],
      ['configuration', 'get_libraries', { libraries: ['ab'.repeat(32)] }],
      ['rpc', 'json_rpc', { method: 'getMasterchainInfo', params: {} }],
      ['runmethod', 'run_get_method', { address: held, method: 'get_wallet_data', stack: [] }],
      ['runmethod', 'run_get_method_std', { address: held, method: 'get_wallet_data', stack: [] }],
      ['send', 'estimate_fee', { address: his, body }],
      ['transactions', 'get_block_transactions', { ...block, count: 5 }],
      ['transactions', 'get_block_transactions_ext', { ...block, count: 5 }],
      ['transactions', 'get_transactions', { address: his }],
      ['transactions', 'get_transactions_std', { address: his }],
      ...['try_locate_tx', 'try_locate_result_tx', 'try_locate_source_tx'].map(
        (name): [string, string, object] => ['transactions', name, { source, destination, created_lt }],
      ),
      ['utils', 'detect_address', { address: his }],
      ['utils', 'detect_hash', { hash }],
      ['utils', 'pack_address', { address: his }],
      ['utils', 'unpack_address', { address: ABSENT_ACCOUNT.toString() }],
    ];
    const v3: [string, string, object][] = [
      ['accounts', 'get_account_states', { address: [his, master, raw(unused())] }],
      ['accounts', 'get_address_book', { address: [his, master] }],
      ['accounts', 'get_metadata', { address: [master, collection] }],
      ['accounts', 'get_wallet_states', { address: [his, master] }],
      ['actions', 'get_actions', { limit: 500, include_accounts: true, include_transactions: true }],
      ['actions', 'get_pending_actions', { account: his }],
      ['actions', 'get_pending_traces', { account: his }],
      ['actions', 'get_traces', { trace_id: [trace_id], include_actions: true }],
      ['actions', 'get_traces', { limit: 100 }],
      ['api_v2', 'get_address_information', { address: his }],
      ['api_v2', 'get_wallet_information', { address: his }],
      ['api_v2', 'estimate_fee', { body: { address: his, body, ignore_chksig: true } }],
      ['api_v2', 'run_get_method', { body: { address: held, method: 'get_wallet_data', stack: [] } }],
      ['blockchain', 'get_adjacent_transactions', { hash, direction: 'in' }],
      ['blockchain', 'get_blocks', { mc_seqno: last.seqno }],
      ['blockchain', 'get_masterchain_block_shard_state', { seqno: last.seqno }],
      ['blockchain', 'get_masterchain_block_shards', { seqno: last.seqno }],
      ['blockchain', 'get_masterchain_info', {}],
      ['blockchain', 'get_messages', { source, limit: 100 }],
      ['blockchain', 'get_transactions', { account: [destination], limit: 100 }],
      ['blockchain', 'get_transactions', { lt: Number(lt), account: [inner.account] }],
      ['blockchain', 'get_transactions_by_masterchain_block', { seqno: last.seqno }],
      ['blockchain', 'get_transactions_by_message', { msg_hash: in_msg.hash }],
      ['dns', 'get_dns_records', { wallet: his }],
      ['jettons', 'get_jetton_burns', { jetton_master: master }],
      ['jettons', 'get_jetton_masters', { address: [master] }],
      ['jettons', 'get_jetton_transfers', { jetton_master: master, limit: 100 }],
      ['jettons', 'get_jetton_wallets', { owner_address: [his] }],
      // Without actions: it takes body_raw for a list of numbers, and the reference sends a string (docs/contract/v3-more.md).
      ['multisig', 'get_multisig_orders', { parse_actions: false }],
      ['multisig', 'get_multisig_wallets', {}],
      ['nfts', 'get_nft_collections', { collection_address: [collection] }],
      ['nfts', 'get_nft_items', { collection_address: [collection], include_on_sale: true }],
      ['nfts', 'get_nft_sales', { address: [raw(traded[0]!.address)] }],
      ['nfts', 'get_nft_transfers', { collection_address: collection }],
      ['stats', 'get_top_accounts_by_balance', {}],
      ['utils', 'get_decode', { opcodes: ['0x0f8a7ea5'] }],
      ['utils', 'post_decode', { body: { opcodes: ['0x0f8a7ea5'], bodies: [body] } }],
      ['vesting', 'get_vesting_contracts', { wallet_address: [his], check_whitelist: true }],
    ];
    const types = ['transactions', 'actions', 'account_state_change', 'jettons_change'];
    const subscription = {
      types,
      addresses: transactions.map(({ account }: Json) => account),
      min_finality: 'pending',
      include_address_book: true,
      include_metadata: true,
    };
    const calls = [...v2.map((call) => ['v2', ...call]), ...v3.map((call) => ['v3', ...call])];
    const streams = ['sse', 'ws'].map((transport) => [transport, subscription, 10]);
    const outcomes: Json[] = await callPython(python, { url: api.url, calls, streams });
    expect(outcomes).toHaveLength(calls.length + streams.length);
    const failed = [...calls, ...streams].flatMap((call, at) =>
      outcomes[at].error === undefined
        ? []
        : [`${JSON.stringify(call).slice(0, 200)}: ${outcomes[at].error}`],
    );
    expect(failed).toEqual([]);
    const of = (name: string) => outcomes[calls.findIndex((call) => call[2] === name)].result;
    expect(of('get_jetton_masters').jetton_masters[0].address).toBe(master);
    expect(of('get_transactions_by_message').transactions[0].hash).toBe(hash);
    expect(of('get_actions').actions.length).toBeGreaterThan(10);
    for (const { result } of outcomes.slice(calls.length)) expect(result).toHaveLength(10);
  });

  it('walletkit: prepares a transfer, sends it, follows its trace and lists what its owner has', async () => {
    const his = faucet();
    const info = await get(`v3/addressInformation?address=${his}&include_boc=true`);
    expect(info).toMatchObject({ balance: expect.stringMatching(DIGITS), status: 'active' });
    expect(info.last_transaction_hash).toMatch(BASE64);
    expect(info.last_transaction_lt).toMatch(DIGITS);
    const missing = await get(`v3/addressInformation?address=${raw(unused())}&include_boc=true`);
    expect(missing).toMatchObject({ balance: '0', last_transaction_lt: '0' });
    const boc = base64(transfer(await seqnoOf(), 'walletkit'));
    const asked = {
      boc,
      ignore_chksig: true,
      with_actions: true,
      include_address_book: true,
      include_metadata: true,
    };
    const emulated = await post('emulate/v1/emulateTrace', asked);
    expect(emulated.actions.map(({ type }: Json) => type)).toEqual(['ton_transfer']);
    expect(emulated.is_incomplete).toBe(false);
    const socket = await openSocket(api.url, '?api_key=any');
    socket.send({
      operation: 'subscribe',
      id: '1',
      types: ['transactions', 'account_state_change', 'jettons_change'],
      addresses: [his],
      min_finality: 'pending',
      include_metadata: true,
    });
    expect(await socket.until(({ id }) => id === '1')).toEqual({ id: '1', status: 'subscribed' });
    const { message_hash_norm: norm } = await post('v3/message', { boc });
    expect(norm).toMatch(BASE64);
    const told: Json = await socket.until(({ trace_external_hash_norm: hash }) => hash === norm);
    expect(told.transactions[0].account).toBe(his);
    await socket.until(({ type }) => type === 'account_state_change');
    socket.send({ operation: 'unsubscribe', id: '2', addresses: [his] });
    expect(await socket.until(({ id }) => id === '2')).toEqual({ id: '2', status: 'unsubscribed' });
    socket.send({ operation: 'ping', id: 'p' });
    expect(await socket.until(({ id }) => id === 'p')).toEqual({ id: 'p', status: 'pong' });
    socket.socket.close();
    expect(await get(`v3/pendingTraces?ext_msg_hash=${encodeURIComponent(norm)}`)).toHaveProperty('traces');
    const hash = encodeURIComponent(norm);
    // The three are asked at once: those that do not know the hash are no errors.
    const one = await until(async () => {
      const answers: Json[] = await Promise.all(
        ['tx_hash', 'trace_id', 'msg_hash'].map((name) =>
          get(`v3/traces?${name}=${hash}&include_actions=true`),
        ),
      );
      return answers.flatMap(({ traces }) => traces).find(({ is_incomplete }) => !is_incomplete);
    });
    expect(one).toMatchObject({
      external_hash: expect.stringMatching(BASE64),
      trace_id: expect.stringMatching(BASE64),
    });
    expect(one.transactions_order.every((known: string) => known in one.transactions)).toBe(true);
    const byMessage = await get(`v3/transactionsByMessage?msg_hash=${hash}`);
    expect(byMessage.transactions[0].account).toBe(his);
    expect(byMessage.address_book).toHaveProperty([his]);
    expect(
      (await get(`v3/transactions?account=${his}&limit=10&offset=0`)).transactions.length,
    ).toBeGreaterThan(0);
    // Nothing is pending any more, which the contract answers with 404.
    const pending = await fetch(`${api.url}/api/v3/pendingTransactions?account=${raw(unused())}`);
    expect([pending.status, await pending.json()]).toMatchObject([
      404,
      { error: 'emulated traces not found' },
    ]);
    const jettons = await get(`v3/jetton/wallets?owner_address=${his}`);
    expect(jettons.jetton_wallets[0]).toMatchObject({ balance: expect.stringMatching(DIGITS), owner: his });
    expect(jettons.metadata[jettons.jetton_wallets[0].jetton].token_info[0]).toMatchObject({
      symbol: 'LOCAL',
    });
    expect(
      (await get(`v3/jetton/masters?address=${jettons.jetton_wallets[0].jetton}`)).jetton_masters,
    ).toHaveLength(1);
    const { nft_items: items } = await get(`v3/nft/items?owner_address=${his}&limit=10&offset=0`);
    expect(items[0]).toMatchObject({
      index: expect.stringMatching(DIGITS),
      init: true,
      on_sale: expect.any(Boolean),
    });
    const records = await get(`v3/dns/records?wallet=${his}&limit=10&offset=0`);
    expect([records.records, records.address_book].every((one) => typeof one === 'object')).toBe(true);
    const { last } = await get('v3/masterchainInfo');
    expect(last).toMatchObject({
      workchain: -1,
      shard: '8000000000000000',
      root_hash: expect.stringMatching(BASE64),
    });
    const call = { address: his, method: 'seqno', stack: [], seqno: last.seqno };
    expect(await post('v3/runGetMethod', call)).toMatchObject({
      exit_code: 0,
      gas_used: expect.any(Number),
      stack: [{ type: 'num', value: expect.stringMatching(/^0x/) }],
    });
    const unknown = await fetch(`${api.url}/api/v3/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, seqno: last.seqno + 1_000_000 }),
    });
    expect(unknown.status).toBe(404);
  });

  it('MyTonWallet: lists actions by comma lists, names addresses, and follows its socket', async () => {
    const account = await busyAccount();
    const types = 'ton_transfer,jetton_transfer,nft_transfer,call_contract';
    const query = `account=${account}&limit=50&sort=desc&include_accounts=true&supported_action_types=v1,v2`;
    const { actions, address_book, metadata } = await get(`v3/actions?${query}&action_type=${types}`);
    expect(actions.length).toBeGreaterThan(0);
    for (const { type, accounts } of actions) {
      expect(types.split(',')).toContain(type);
      expect(accounts.every((one: string) => RAW.test(one))).toBe(true);
    }
    expect([typeof address_book, typeof metadata]).toEqual(['object', 'object']);
    const master = raw(tokens().jetton.minter.address);
    const both = `${account},${master}`;
    expect(Object.keys(await get(`v3/addressBook?address=${both}`))).toHaveLength(2);
    expect(await get(`v3/metadata?address=${both}`)).toHaveProperty([master]);
    expect((await get(`v3/walletStates?address=${both}`)).wallets).toHaveLength(2);
    expect((await get(`v3/accountStates?address=${both}&include_boc=false`)).accounts).toHaveLength(2);
    const boc = base64(transfer(await seqnoOf(), 'MyTonWallet'));
    const asked = {
      boc,
      ignore_chksig: true,
      with_actions: true,
      include_address_book: true,
      include_metadata: true,
    };
    const emulated = await post('emulate/v1/emulateTrace', asked, { 'X-Actions-Version': 'v1' });
    expect(emulated.actions[0]).toMatchObject({ type: 'ton_transfer', success: true });
    const late = base64(transfer((await seqnoOf()) + 7, 'late'));
    const refused = await fetch(`${api.url}/api/emulate/v1/emulateTrace`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, boc: late }),
    });
    expect(await refused.json()).toMatchObject({ error: 'EmulationExternalNotAccepted: 33' });
    const socket = await openSocket(api.url);
    socket.send({ operation: 'ping' });
    expect(await socket.until(({ status }) => status === 'pong')).toEqual({ status: 'pong' });
    socket.send({
      operation: 'subscribe',
      id: 'mine',
      types: ['actions', 'account_state_change', 'jettons_change'],
      addresses: [account, faucet()],
      min_finality: 'pending',
      include_address_book: true,
      include_metadata: true,
      supported_action_types: ['v1', 'v2', 'latest'],
    });
    expect(await socket.until(({ id }) => id === 'mine')).toEqual({ id: 'mine', status: 'subscribed' });
    const { message_hash_norm: norm } = await post('v3/message', { boc });
    const told: Json = await socket.until(
      (one) => one.type === 'actions' && one.trace_external_hash_norm === norm,
    );
    expect(told).toMatchObject({ actions: [{ type: 'ton_transfer', accounts: expect.any(Array) }] });
    expect([told.status, typeof told.address_book]).toEqual([undefined, 'object']);
    socket.socket.close();
    // It was announced before its block: the next message needs the following seqno.
    await received(norm);
  });

  it('Gem wallet: looks a wallet up, lists its tokens with its limits, sends', async () => {
    const his = faucet();
    expect(await get(`v3/walletInformation?address=${his}`)).toMatchObject({
      balance: expect.stringMatching(DIGITS),
      wallet_type: 'wallet v4 r2',
      status: 'active',
    });
    const wallets = await get(`v3/jetton/wallets?owner_address=${his}&limit=100&exclude_zero_balance=true`);
    expect(wallets.jetton_wallets).toHaveLength(1);
    const items = await get(`v3/nft/items?owner_address=${his}&limit=1000&include_on_sale=true`);
    expect(items.nft_items.length).toBeGreaterThan(0);
    const beyond = await fetch(`${api.url}/api/v3/nft/items?owner_address=${his}&limit=1001`);
    expect([beyond.status, ((await beyond.json()) as Json).error]).toEqual([
      422,
      expect.stringContaining('limit'),
    ]);
    const boc = base64(transfer(await seqnoOf(), 'Gem'));
    expect(await post('emulate/v1/emulateTrace', { boc, with_actions: true })).toHaveProperty(
      'trace.tx_hash',
    );
    const { message_hash_norm: norm } = await post('v3/message', { boc });
    expect(await received(norm)).toMatchObject({ account: his, in_msg: { hash_norm: norm } });
  });

  /** An account of the traffic with transactions of several kinds. */
  async function busyAccount(): Promise<string> {
    const { actions } = await get('v3/actions?action_type=jetton_transfer&limit=1');
    return actions[0].details.sender;
  }
});

const unused = (): AccountAddress => ({ workchain: 0, address: new Uint8Array(32).fill(0xab) });

function raw({ workchain, address }: AccountAddress): string {
  return formatRaw(workchain, address).toUpperCase();
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

async function read(reply: Response): Promise<Json> {
  const json = await reply.json();
  if (!reply.ok) throw new Error(`${reply.url.slice(0, 200)}: ${reply.status} ${JSON.stringify(json)}`);
  return json;
}

/** Waits for it; the test's own limit ends what never comes. */
async function until<T>(ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const found = await ask();
    if (found) return found as NonNullable<T>;
    await sleep(100);
  }
}
