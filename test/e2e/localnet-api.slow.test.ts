/** The published client @ton/ton, and plain requests, against the API over a local chain that makes blocks meanwhile. */
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  Dictionary,
  external,
  internal,
  loadMessage,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { TonClient, WalletContractV4 } from '@ton/ton';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../src/api/serve-stage.ts';
import type { WalletInfo } from '../../src/localnet/localnet-control.ts';
import { clampedApi } from '../helpers/clamped-api.ts';
import { type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { expectScan, expectScanOfGrowth } from '../helpers/scan-pages.ts';

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

describe('the API of a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  let client: TonClient;

  beforeAll(async () => {
    api = await openLocalApi();
    client = new TonClient({ endpoint: `${api.url}/api/v2/jsonRPC` });
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const post = async (path: string, body: unknown): Promise<Answer> =>
    answered(
      await fetch(`${api.url}/api/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: JSON_TYPE,
      }),
    );
  const get = async (path: string): Promise<Answer> => answered(await fetch(`${api.url}/api/${path}`));

  const faucet = () => openWallet(WalletContractV4, api.control.info.faucet);

  /** A transfer from the faucet as it would be sent. */
  async function faucetMessage(to: Address, value: bigint, text: string, seqno?: number): Promise<Cell> {
    const { contract, secretKey } = faucet();
    const messages: MessageRelaxed[] = [internal({ to, value, bounce: false, body: comment(text) })];
    const body = contract.createTransfer({
      seqno: seqno ?? (await client.open(contract).getSeqno()),
      secretKey,
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    return beginCell()
      .store(storeMessage(external({ to: contract.address, body })))
      .endCell();
  }

  async function until<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
    for (const end = Date.now() + 240_000; Date.now() < end; await pause(20)) {
      const found = await ask();
      if (found) return found;
    }
    throw new Error('it did not come to pass');
  }

  it('sends a transfer of the published client, and shows it', async () => {
    const { contract, secretKey } = faucet();
    const wallet = client.open(contract);
    const balance = await wallet.getBalance();
    expect(balance).toBeGreaterThan(toNano('1000'));
    const seqno = await wallet.getSeqno();
    const to = new Address(0, Buffer.alloc(32, 7));
    expect(await client.isContractDeployed(to)).toBe(false);
    await wallet.sendTransfer({
      seqno,
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to, value: toNano('1.5'), bounce: false, body: comment('hello') })],
    });
    await until(async () => (await wallet.getSeqno()) === seqno + 1);
    await until(async () => (await client.getBalance(to)) === toNano('1.5'));
    const [transaction] = await client.getTransactions(to, { limit: 1 });
    expect(`${transaction!.inMessage!.info.src}`).toBe(`${contract.address}`);
    expect(await wallet.getBalance()).toBeLessThan(balance - toNano('1.5'));
  });

  it('shows stakes that the elector accepted, and stakes that were requested back', async () => {
    const elector = new Address(-1, Buffer.alloc(32, 0x33));
    const key = Buffer.alloc(32, 0xab);
    const adnl = Buffer.alloc(32, 0xcd);
    // Query id 0 wants no answer: the elector took every stake that it does not send back.
    const stake = beginCell()
      .storeUint(0x4e73744b, 32)
      .storeUint(0, 64)
      .storeBuffer(key)
      .storeUint(1_900_000_000, 32)
      .storeUint(65_536, 32)
      .storeBuffer(adnl)
      .storeRef(beginCell().storeBuffer(Buffer.alloc(64, 1)).endCell())
      .endCell();
    const recovery = beginCell().storeUint(0x47657424, 32).storeUint(7, 64).endCell();
    const { contract, secretKey } = faucet();
    const wallet = client.open(contract);
    await wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [
        internal({ to: elector, value: toNano('11'), bounce: true, body: stake }),
        internal({ to: elector, value: toNano('1'), bounce: true, body: recovery }),
      ],
    });
    const events = async (query: string) =>
      (await get(`v3/validators/events?${query}`)).json.events as Readonly<Record<string, unknown>>[];
    await until(async () => (await events('type=recover_requested')).length > 0);
    const [taken, ...others] = await until(async () => {
      const found = await events('');
      return found.length > 0 && found;
    });
    expect(others).toEqual([]);
    const holder = contract.address.toRawString().toUpperCase();
    expect(taken).toEqual({
      type: 'stake_accepted',
      tx_hash: expect.any(String),
      tx_lt: expect.any(String),
      utime: expect.any(Number),
      stake_holder_address: holder,
      validator_pubkey: key.toString('hex').toUpperCase(),
      adnl_addr: adnl.toString('hex').toUpperCase(),
      election_id: 1_900_000_000,
      query_id: '0',
      amount: `${toNano('10')}`,
    });
    const hash = encodeURIComponent(String(taken!.tx_hash));
    const { transactions } = (await get(`v3/transactions?hash=${hash}`)).json as { transactions: object[] };
    expect(transactions).toMatchObject([{ account: elector.toRawString(), lt: taken!.tx_lt }]);
    const { utime } = taken!;
    for (const [query, count] of [
      [`stake_holder_address=${holder}`, 1],
      [`stake_holder_address=${elector.toRawString()}`, 0],
      [`validator_pubkey=${key.toString('hex')}`, 1],
      [`adnl_address=${key.toString('hex')}`, 0],
      [`adnl_address=${encodeURIComponent(adnl.toString('base64'))}&type=stake_accepted`, 1],
      ['type=stake_rejected', 0],
      ['type=stake_recovered', 0],
      ['type=recover_failed', 0],
      [`start_utime=${utime}&end_utime=${utime}&sort=asc`, 1],
      [`end_utime=${Number(utime) - 1}`, 0],
      ['offset=1', 0],
    ] as const)
      expect([query, (await events(query)).length]).toEqual([query, count]);
    expect(await events('type=recover_requested')).toMatchObject([
      { stake_holder_address: holder, query_id: '7', amount: `${toNano('1')}` },
    ]);
  });

  it('gives lists of messages and what they led to page by page, by cursors', async () => {
    const elector = new Address(-1, Buffer.alloc(32, 0x33));
    const stake = (seed: number) =>
      beginCell()
        .storeUint(0x4e73744b, 32)
        .storeUint(0, 64)
        .storeBuffer(Buffer.alloc(32, seed))
        .storeUint(1_900_000_000, 32)
        .storeUint(65_536, 32)
        .storeBuffer(Buffer.alloc(32, 0xee))
        .storeRef(beginCell().storeBuffer(Buffer.alloc(64, 1)).endCell())
        .endCell();
    const { contract, secretKey } = faucet();
    const wallet = client.open(contract);
    // Stakes of one transaction reach the elector in one block or two: in one second, in any case.
    for (const seeds of [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]) {
      const seqno = await wallet.getSeqno();
      await wallet.sendTransfer({
        seqno,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: seeds.map((seed) =>
          internal({ to: elector, value: toNano('11'), bounce: true, body: stake(seed) }),
        ),
      });
      await until(async () => (await wallet.getSeqno()) === seqno + 1);
    }
    const rows = async (path: string, key: string) =>
      (await get(`v3/${path}`)).json[key] as Readonly<Record<string, unknown>>[];
    const keyed = `validators/events?adnl_address=${'ee'.repeat(32)}`;
    await until(async () => (await rows(keyed, 'events')).length === 8);
    const account = `account=${contract.address.toRawString()}`;
    const [first] = await rows(keyed, 'events');
    const hash = encodeURIComponent(String(first!.tx_hash));
    // The newest trace of the wallet does not grow any more.
    await until(async () =>
      (await rows(`traces?tx_hash=${hash}`, 'traces')).some(
        ({ trace_info: info }) => (info as { readonly trace_state: string }).trace_state === 'complete',
      ),
    );
    const [taken] = await rows(`transactions?hash=${hash}`, 'transactions');
    const message = encodeURIComponent((taken!.in_msg as { readonly hash: string }).hash);
    const hashes = (await rows(`transactions?${account}&limit=6`, 'transactions'))
      .map((row) => `hash=${encodeURIComponent(String(row.hash))}`)
      .join('&');
    const source = `source=${contract.address.toRawString()}`;
    const { mc_block_seqno: step, lt } = taken!;
    const byHash = ({ hash: name }: Readonly<Record<string, unknown>>) => String(name);
    const byTransaction = ({ tx_hash: name }: Readonly<Record<string, unknown>>) => String(name);
    const byTrace = ({ trace_id: name }: Readonly<Record<string, unknown>>) => String(name);
    const byBlock = ({ root_hash: name }: Readonly<Record<string, unknown>>) => String(name);
    for (const sort of ['desc', 'asc']) {
      const turned = `sort=${sort === 'asc' ? 'desc' : 'asc'}`;
      for (const [path, key, of, least, other, isResumable = false] of [
        ['validators/events?end_utime=4000000000', 'events', byTransaction, 8, 'start_utime=1'],
        ['transactionsByMessage?opcode=0x4e73744b', 'transactions', byHash, 8, 'direction=out'],
        ['transactionsByMessage?opcode=0x4e73744b&direction=out', 'transactions', byHash, 2, source],
        [`transactionsByMessage?msg_hash=${message}`, 'transactions', byHash, 2, source],
        [`transactions?${source}`, 'transactions', byHash, 8, 'opcode=1'],
        [`transactions?destination=${elector.toRawString()}`, 'transactions', byHash, 8, 'opcode=1'],
        [`transactions?${source}&workchain=0`, 'transactions', byHash, 2, 'opcode=1'],
        [`transactions?${source}&start_utime=1`, 'transactions', byHash, 8, 'opcode=1'],
        [`transactions?${source}&fields=hash`, 'transactions', byHash, 8, 'opcode=1'],
        [`transactions?${hashes}`, 'transactions', byHash, 2, 'workchain=-1', true],
        [`transactions?lt=${lt}`, 'transactions', byHash, 1, 'workchain=0', true],
        [`transactions?mc_seqno=${step}&start_utime=1`, 'transactions', byHash, 1, 'workchain=0', true],
        [`transactionsByMasterchainBlock?seqno=${step}`, 'transactions', byHash, 1, 'seqno=1'],
        [`masterchainBlockShards?seqno=${step}`, 'blocks', byBlock, 1, 'seqno=1'],
        [`messages?msg_hash=${message}`, 'messages', byHash, 1, source],
        [`traces?${account}`, 'traces', byTrace, 2, 'end_utime=4000000000'],
        [`traces?tx_hash=${hash}`, 'traces', byTrace, 1, 'end_utime=4000000000'],
      ] as const)
        await expectScan((asked) => get(`v3/${asked}`), {
          path: `${path}&sort=${sort}`,
          key,
          of,
          least,
          others: [`${path}&${turned}`, `${path}&${other}&sort=${sort}`],
          isResumable: isResumable && sort === 'asc',
        });
    }
  });

  it('returns each row of such lists once, even if new rows come between the pages', async () => {
    const { contract, secretKey } = faucet();
    const wallet = client.open(contract);
    const [elector, nobody] = [0x33, 0x5a].map((byte) => new Address(-1, Buffer.alloc(32, byte))) as [
      Address,
      Address,
    ];
    const recovery = beginCell().storeUint(0x47657424, 32).storeUint(7, 64).endCell();
    const account = contract.address.toRawString();
    const rows = async (path: string, key: string) =>
      (await get(`v3/${path}&limit=1000`)).json[key] as Readonly<Record<string, unknown>>[];
    const bounced = `transactions?account=${nobody.toRawString()}`;
    for (let round = 1; round <= 4; round++) {
      const seqno = await wallet.getSeqno();
      await wallet.sendTransfer({
        seqno,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        // Messages that come back make the trace grow in a later step, and move in the account's list.
        messages: [elector, nobody].map((to) =>
          internal({ to, value: toNano('1'), bounce: true, body: recovery }),
        ),
      });
      await until(async () => (await rows(bounced, 'transactions')).length === round);
    }
    const back = `messages?source=${nobody.toRawString()}&destination=${account}`;
    await until(
      async () => (await rows(back, 'messages')).filter(({ in_msg_tx_hash: hash }) => hash).length === 4,
    );
    const transactions = await rows(`transactions?account=${account}&sort=asc`, 'transactions');
    const sent = await rows(`transactions?source=${account}`, 'transactions');
    const messages = [
      ...(await rows(`messages?source=${account}`, 'messages')),
      ...(await rows(`messages?destination=${account}`, 'messages')),
    ];
    const steps = [...transactions, ...sent].map(({ mc_block_seqno: step }) => Number(step));
    const known = [...new Set(steps)].sort((a, b) => a - b);
    // A few steps with transactions of the wallet are there, then others come one by one.
    const stages = known.slice(Math.floor(known.length / 2));
    expect(stages.length).toBeGreaterThan(3);
    await until(async () => {
      const { traces: view } = api.context.vector();
      return view.state === 'served' && view.visible.last >= stages.at(-1)!;
    });
    const traces = await rows(`traces?account=${account}`, 'traces');
    const named = (name: string, field: string, of: readonly Readonly<Record<string, unknown>>[]) =>
      [...new Set(of.map((row) => `${name}=${encodeURIComponent(String(row[field]))}`))].join('&');
    const byHash = ({ hash: name }: Readonly<Record<string, unknown>>) => String(name);
    const byTransaction = ({ tx_hash: name }: Readonly<Record<string, unknown>>) => String(name);
    const byTrace = ({ trace_id: name }: Readonly<Record<string, unknown>>) => String(name);
    const clamped = await clampedApi(api.context);
    try {
      for (const sort of ['desc', 'asc'])
        for (const [path, key, of, isResumable = false] of [
          [`traces?account=${account}`, 'traces', byTrace],
          [`events?account=${account}`, 'events', byTrace],
          [`traces?${named('trace_id', 'trace_id', traces)}`, 'traces', byTrace],
          [`traces?${named('tx_hash', 'hash', transactions)}`, 'traces', byTrace],
          [`traces?${named('msg_hash', 'hash', messages)}`, 'traces', byTrace],
          [`messages?${named('msg_hash', 'hash', messages)}`, 'messages', byHash],
          [`messages?source=${account}`, 'messages', byHash],
          [`messages?destination=${account}`, 'messages', byHash],
          [`transactionsByMessage?${named('msg_hash', 'hash', messages)}`, 'transactions', byHash],
          ['transactionsByMessage?opcode=0x47657424', 'transactions', byHash],
          [`transactions?source=${account}`, 'transactions', byHash],
          [`transactions?destination=${account}&workchain=0`, 'transactions', byHash],
          [`transactions?${named('hash', 'hash', transactions)}`, 'transactions', byHash, true],
          ['validators/events?type=recover_requested', 'events', byTransaction],
        ] as const) {
          const list = {
            path: `${path}&sort=${sort}`,
            key,
            of,
            stages,
            isResumable: isResumable && sort === 'asc',
          };
          expect([path, await expectScanOfGrowth(clamped, list)]).toEqual([
            path,
            expect.toSatisfy((came: number) => came > 0),
          ]);
        }
    } finally {
      await clamped.close();
    }
  });

  it('answers the hashes of a message, by which its transaction is found', async () => {
    const message = await faucetMessage(new Address(0, Buffer.alloc(32, 8)), 1n, 'found');
    const sent = await post('v2/sendBocReturnHash', { boc: base64(message) });
    expect(sent.json.result).toMatchObject({
      '@type': 'raw.extMessageInfo',
      hash: message.hash().toString('base64'),
    });
    const { hash_norm } = sent.json.result as { hash_norm: string };
    const asked = `v3/transactionsByMessage?msg_hash=${encodeURIComponent(hash_norm)}`;
    const transactions = await until(async () => {
      const { transactions } = (await get(asked)).json as { transactions: unknown[] };
      return transactions.length > 0 && transactions;
    });
    expect(transactions).toHaveLength(1);
  });

  it('refuses a message that no account accepts, with the reason', async () => {
    const message = await faucetMessage(new Address(0, Buffer.alloc(32, 8)), 1n, 'late', 77);
    const refused = await post('v2/sendBoc', { boc: base64(message) });
    expect(refused.status).toBe(500);
    expect(refused.json).toMatchObject({ ok: false, code: 500 });
    expect(refused.json.error).toMatch(/cannot apply external message to current state.*exitcode=33/);
    expect(await post('v2/sendBoc', { boc: 'AAAA' })).toMatchObject({ status: 400, json: { ok: false } });
    expect(await post('v2/sendBoc', { boc: '' })).toMatchObject({
      status: 422,
      json: { error: 'empty boc' },
    });
    expect((await get('v2/sendBoc?boc=AAAA')).status).toBe(405);
    const empty = base64(beginCell().endCell());
    expect((await post('v2/sendBoc', { boc: empty })).json.error).toMatch(/cannot apply external message/);
  });

  it('runs get methods in every form', async () => {
    const { contract } = faucet();
    const address = contract.address.toString();
    const { walletId, publicKey } = contract;
    expect((await client.runMethod(contract.address, 'get_subwallet_id')).stack.readNumber()).toBe(walletId);
    const key = (await client.runMethod(contract.address, 'get_public_key')).stack.readBigNumber();
    expect(key.toString(16).padStart(64, '0')).toBe(publicKey.toString('hex'));

    const legacy = await post('v2/runGetMethod', { address, method: 'get_subwallet_id', stack: [] });
    expect(legacy.json.result).toMatchObject({
      '@type': 'smc.runResult',
      exit_code: 0,
      stack: [['num', `0x${walletId.toString(16)}`]],
      block_id: { '@type': 'chain.blockIdExt', workchain: -1 },
      last_transaction_id: { lt: expect.stringMatching(/^[1-9]/) },
    });
    const typed = await post('v2/runGetMethodStd', { address, method: 'get_subwallet_id', stack: [] });
    expect(Object.keys(typed.json.result as object).sort()).toEqual([
      '@type',
      'exit_code',
      'gas_used',
      'stack',
    ]);
    const number = { '@type': 'tvm.numberDecimal', number: `${walletId}` };
    expect(typed.json.result).toMatchObject({ stack: [{ '@type': 'tvm.stackEntryNumber', number }] });

    const plugins = await post('v2/runGetMethod', { address, method: 'get_plugin_list', stack: [] });
    expect(plugins.json.result).toMatchObject({ stack: [['list', { '@type': 'tvm.list', elements: [] }]] });
    const isPlugin = {
      address,
      method: 'is_plugin_installed',
      stack: [
        ['num', 0],
        ['num', '0x1f'],
      ],
    };
    expect((await post('v2/runGetMethod', isPlugin)).json.result).toMatchObject({ stack: [['num', '0x0']] });
    const unknown = await post('v2/runGetMethod', { address, method: 'nothing', stack: [] });
    expect(unknown).toMatchObject({ status: 200, json: { result: { exit_code: 11 } } });
    const nobody = { address: `0:${'9'.repeat(64)}`, method: 'seqno', stack: [] };
    expect((await post('v2/runGetMethod', nobody)).json.result).toMatchObject({
      exit_code: -13,
      gas_used: 0,
      stack: [],
    });
  });

  it('runs get methods on the state of an earlier block', async () => {
    const { contract } = faucet();
    const address = contract.address.toRawString();
    const before = (await client.getMasterchainInfo()).latestSeqno;
    const seqnoAt = async (seqno?: number) => {
      const ask = { address, method: 'seqno', stack: [], ...(seqno !== undefined && { seqno }) };
      const { json } = await post('v2/runGetMethod', ask);
      return (json.result as { stack: [string, string][] }).stack[0]![1];
    };
    const old = await seqnoAt(before);
    const message = await faucetMessage(new Address(0, Buffer.alloc(32, 9)), 1n, 'later');
    await post('v2/sendBoc', { boc: base64(message) });
    await until(async () => (await seqnoAt()) !== old);
    // Older than what the chain itself keeps: from the store.
    await api.control.mine(20);
    await until(async () => (await client.getMasterchainInfo()).latestSeqno > before + 20);
    expect(await seqnoAt(before)).toBe(old);
    expect(await seqnoAt()).not.toBe(old);
    const ahead = await post('v2/runGetMethod', { address, method: 'seqno', stack: [], seqno: 1_000_000 });
    expect(ahead).toMatchObject({ status: 500, json: { error: expect.stringMatching(/^LITE_SERVER_/) } });
    const v3At = (seqno: unknown) => post('v3/runGetMethod', { address, method: 'seqno', stack: [], seqno });
    for (const seqno of [before, `${before}`])
      expect((await v3At(seqno)).json).toMatchObject({ exit_code: 0, stack: [{ type: 'num', value: old }] });
    for (const none of [null, undefined])
      expect((await v3At(none)).json).toMatchObject({ stack: [{ type: 'num', value: await seqnoAt() }] });
    expect(await v3At(1_000_000)).toMatchObject({
      status: 404,
      json: { error: 'masterchain block 1000000 not found' },
    });
    for (const wrong of [0, -1, 'x', 1.5, 2 ** 31]) expect((await v3At(wrong)).status).toBe(422);
  });

  it('estimates what the transaction then costs', async () => {
    const { contract } = faucet();
    const to = new Address(0, Buffer.alloc(32, 7));
    const message = await faucetMessage(to, toNano('0.1'), 'fees');
    const { body } = loadMessage(message.beginParse());
    const { source_fees: fees } = await client.estimateExternalMessageFee(contract.address, {
      body,
      initCode: null,
      initData: null,
      ignoreSignature: false,
    });
    expect(fees).toMatchObject({ in_fwd_fee: expect.any(Number), storage_fee: expect.any(Number) });
    await client.sendFile(message.toBoc());
    const found = await until(async () => {
      const [transaction] = await client.getTransactions(contract.address, { limit: 1 });
      return transaction?.inMessage?.body.equals(body) && transaction;
    });
    if (found.description.type !== 'generic' || found.description.computePhase.type !== 'vm')
      throw new Error();
    expect(BigInt(fees.gas_fee)).toBe(found.description.computePhase.gasFees);
    expect(BigInt(fees.fwd_fee)).toBe(found.description.actionPhase!.totalFwdFees);
    const refused = await post('v2/estimateFee', {
      address: contract.address.toString(),
      body: base64(body),
      ignore_chksig: true,
    });
    // Its seqno is used up: it would not be accepted, but be brought there.
    expect(refused.json.result).toMatchObject({
      '@type': 'query.fees',
      source_fees: { '@type': 'fees', in_fwd_fee: fees.in_fwd_fee, gas_fee: 0, fwd_fee: 0 },
      destination_fees: [],
    });
  });

  it('sends a message given in parts', async () => {
    const to = new Address(0, Buffer.alloc(32, 10));
    const { body } = loadMessage((await faucetMessage(to, toNano('0.2'), 'parts')).beginParse());
    const address = faucet().contract.address.toRawString();
    const parts = { address, body: base64(body), init_code: '', init_data: '' };
    expect((await post('v2/sendQuery', parts)).json).toMatchObject({ ok: true, result: { '@type': 'ok' } });
    await until(async () => (await client.getBalance(to)) === toNano('0.2'));
  });

  it('answers about wallets', async () => {
    const names = api.control.info.wallets.map(({ version }) => version);
    expect(names).toEqual(['v3r1', 'v3r2', 'v4r2', 'v5r1']);
    const types = ['wallet v3 r1', 'wallet v3 r2', 'wallet v4 r2', 'wallet v5 r1'];
    const states = ['wallet.v3', 'wallet.v3', 'wallet.v4', 'raw'];
    for (const [at, { address }] of api.control.info.wallets.entries()) {
      const asked = new Address(address.workchain, Buffer.from(address.address)).toRawString();
      const v2 = await get(`v2/getWalletInformation?address=${asked}`);
      expect(v2.json.result).toMatchObject({
        wallet: true,
        wallet_type: types[at],
        seqno: 0,
        wallet_id: expect.any(Number),
        account_state: 'active',
      });
      const v3 = await get(`v3/walletInformation?address=${asked}`);
      expect(v3.json).toMatchObject({ wallet_type: types[at], seqno: 0, status: 'active' });
      const { wallets } = (await get(`v3/walletStates?address=${asked}`)).json as { wallets: object[] };
      const { wallet_type, wallet_id } = v3.json as { wallet_type: string; wallet_id: number };
      expect(wallets).toEqual([
        {
          address: asked.toUpperCase(),
          is_wallet: true,
          wallet_type,
          seqno: 0,
          wallet_id,
          ...(wallet_type === 'wallet v5 r1' ? { is_signature_allowed: true } : {}),
          balance: expect.any(String),
          status: 'active',
          code_hash: expect.any(String),
          last_transaction_hash: null,
          last_transaction_lt: expect.any(String),
          suspended: false,
        },
      ]);
      const unread = (await get(`v3/walletStates?include_boc=false&address=${asked}`)).json;
      expect((unread as { wallets: object[] }).wallets).toMatchObject([
        { is_wallet: false, status: 'active' },
      ]);
      const extended = await get(`v2/getExtendedAddressInformation?address=${asked}`);
      expect(extended.json.result).toMatchObject({
        '@type': 'fullAccountState',
        account_state: { '@type': `${states[at]}.accountState` },
      });
    }
    const elector = `-1:${'3'.repeat(64)}`;
    expect((await get(`v2/getWalletInformation?address=${elector}`)).json.result).toEqual({
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: expect.any(String),
      account_state: 'active',
      last_transaction_id: expect.anything(),
    });
    expect((await get(`v3/walletInformation?address=${elector}`)).status).toBe(409);
    const several = await get(`v3/walletStates?address=${elector},0:${'9'.repeat(64)}`);
    expect(several.json).toMatchObject({
      wallets: [{ address: elector, is_wallet: false, status: 'active' }],
    });
    expect((await get('v3/walletStates')).json).toEqual({
      code: 422,
      error: 'address of account is required',
    });
    const nobody = `0:${'9'.repeat(64)}`;
    expect((await get(`v3/wallet?address=${nobody}`)).json).toMatchObject({ balance: '0', status: 'uninit' });
    expect((await get('v3/walletInformation')).status).toBe(401);
  });

  it('answers the configuration', async () => {
    const all = (await get('v2/getConfigAll')).json.result as { config: { bytes: string } };
    const dict = Dictionary.loadDirect(
      Dictionary.Keys.Int(32),
      Dictionary.Values.Cell(),
      Cell.fromBase64(all.config.bytes),
    );
    for (const query of ['config_id=18', 'param=18']) {
      const { json } = await get(`v2/getConfigParam?${query}`);
      expect(json.result).toMatchObject({ '@type': 'configInfo', config: { '@type': 'tvm.cell' } });
      const { config } = json.result as { config: { bytes: string } };
      expect(Cell.fromBase64(config.bytes).equals(dict.get(18)!)).toBe(true);
    }
    const none = (await get('v2/getConfigParam?param=999')).json.result;
    expect(none).toMatchObject({ config: { bytes: '' } });
    expect((await get('v2/getConfigParam?param=1&config_id=1')).status).toBe(422);
    expect((await get('v2/getLibraries')).json.result).toEqual({ '@type': 'smc.libraryResult', result: [] });
    const unknown = await get(`v2/getLibraries?libraries=${'1'.repeat(64)}&libraries=${'2'.repeat(64)}`);
    expect(unknown.json.result).toMatchObject({ result: [] });
    const many = await post('v2/getLibraries', { libraries: Array(17).fill('1'.repeat(64)) });
    expect(many).toMatchObject({ status: 400, json: { error: expect.stringMatching(/^INVALID_FIELD/) } });
  });

  it('answers libraries that are published, of the chain and of its store', async () => {
    const { contract, secretKey } = faucet();
    const library = beginCell().storeUint(0xf207, 16).storeRef(beginCell().storeUint(7, 8)).endCell();
    // `<library> PUSHREF  2 PUSHINT  SETLIBCODE`: publishes it.
    const publish = beginCell().storeUint(0x8872fb06, 32).storeRef(library).endCell();
    const init = { code: publish, data: Cell.EMPTY };
    const to = contractAddress(-1, init);
    const body = contract.createTransfer({
      seqno: await client.open(contract).getSeqno(),
      secretKey,
      messages: [internal({ to, init, value: toNano('1'), bounce: false })],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    await client.sendFile(
      beginCell()
        .store(storeMessage(external({ to: contract.address, body })))
        .endCell()
        .toBoc(),
    );
    const { runner } = api.context.chain!;
    const stored = await buildServer({ ...api.context, chain: { runner, outlet: null, states: null } });
    // The publisher's own code is a cell of the masterchain too, and no library.
    const hashes = [library, publish].map((cell) => cell.hash().toString('hex'));
    const query = `v2/getLibraries?${hashes.map((hash) => `libraries=${hash}`).join('&')}`;
    const told = async (ask: () => Promise<unknown>) => {
      const { result } = await until(async () => {
        const answer = (await ask()) as { result?: { result: { data: string }[] } };
        return (answer.result?.result.length ?? 0) > 0 && answer;
      });
      expect(result).toEqual({
        '@type': 'smc.libraryResult',
        result: [
          { '@type': 'smc.libraryEntry', hash: library.hash().toString('base64'), data: expect.any(String) },
        ],
      });
      expect(Cell.fromBase64(result!.result[0]!.data).equals(library)).toBe(true);
    };
    await told(async () => (await get(query)).json);
    await told(async () => (await stored.inject({ url: `/api/${query}` })).json());
    await stored.close();
  });

  it('answers the configuration of an earlier block, from the key block that it came with', async () => {
    const value = (text: string) => beginCell().storeStringTail(text).endCell();
    const ofBlock = async (seqno: number) => {
      const { json } = await get(`v2/getConfigParam?param=777&seqno=${seqno}`);
      return (json.result as { config: { bytes: string } }).config.bytes;
    };
    await api.control.changeConfig(777, value('first').toBoc());
    const first = await api.control.mine(3);
    await api.control.changeConfig(777, value('second').toBoc());
    const second = await api.control.mine(20);
    await until(async () => (await client.getMasterchainInfo()).latestSeqno >= second);
    expect(await ofBlock(first)).toBe(base64(value('first')));
    expect(await ofBlock(second)).toBe(base64(value('second')));
    const before = await get('v2/getConfigParam?param=777&seqno=1');
    expect(before.json.result).toMatchObject({ config: { bytes: '' } });
  });

  it('does the same in v3', async () => {
    const { contract } = faucet();
    const address = contract.address.toString();
    const information = await get(`v3/addressInformation?address=${address}`);
    expect(information.json).toMatchObject({ status: 'active', frozen_hash: null });
    const code = Cell.fromBase64(information.json.code as string);
    expect(code.equals(contract.init.code)).toBe(true);
    const run = await post('v3/runGetMethod', {
      address,
      method: 'is_plugin_installed',
      stack: [
        { type: 'num', value: '0x0' },
        { type: 'num', value: '1' },
      ],
    });
    expect(run.json).toMatchObject({ exit_code: 0, stack: [{ type: 'num', value: '0x0' }] });
    expect((await post('v3/runGetMethod', { address, method: 5, stack: [] })).status).toBe(422);
    expect(await post('v3/runGetMethod', { method: 'seqno', stack: [] })).toMatchObject({
      status: 401,
      json: { code: 401, error: 'address is required' },
    });
    const tuple = { address, method: 'seqno', stack: [{ type: 'tuple', value: [] }] };
    expect((await post('v3/runGetMethod', tuple)).json.error).toBe('unsupported stack parameter type: tuple');

    const to = new Address(0, Buffer.alloc(32, 11));
    const sent = await faucetMessage(to, toNano('0.3'), 'v3');
    const { body } = loadMessage(sent.beginParse());
    const estimate = await post('v3/estimateFee', { address, body: base64(body) });
    expect(estimate.json).toMatchObject({
      source_fees: { gas_fee: expect.any(Number) },
      destination_fees: [],
    });
    const form = await fetch(`${api.url}/api/v3/message`, {
      method: 'POST',
      body: new URLSearchParams({ boc: base64(sent) }),
    });
    expect(await form.json()).toMatchObject({ message_hash: sent.hash().toString('base64') });
    await until(async () => (await client.getBalance(to)) === toNano('0.3'));
    expect((await post('v3/message', {})).status).toBe(401);
    expect((await post('v3/message', { boc: 'AAAA' })).status).toBe(400);
    expect((await get('v3/message')).status).toBe(405);
  });

  it('deploys a wallet whose code is in the message', async () => {
    const keys = await keyPairFromSeed(Buffer.alloc(32, 3));
    const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
    const funding = await faucetMessage(contract.address, toNano('1'), 'deploy');
    await post('v2/sendBoc', { boc: base64(funding) });
    await until(async () => (await client.getBalance(contract.address)) === toNano('1'));
    const wallet = client.open(contract);
    const transfer = contract.createTransfer({
      seqno: 0,
      secretKey: keys.secretKey,
      messages: [],
      sendMode: SendMode.NONE,
    });
    const { source_fees: fees } = await client.estimateExternalMessageFee(contract.address, {
      body: transfer,
      initCode: contract.init.code,
      initData: contract.init.data,
      ignoreSignature: true,
    });
    expect(fees.gas_fee).toBeGreaterThan(0);
    await wallet.send(transfer);
    await until(() => client.isContractDeployed(contract.address));
    expect(await wallet.getSeqno()).toBe(1);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

async function answered(response: Response): Promise<Answer> {
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function openWallet(
  kind: typeof WalletContractV4,
  { publicKey, secretKey }: WalletInfo,
): { contract: WalletContractV4; secretKey: Buffer } {
  const contract = kind.create({ workchain: 0, publicKey: Buffer.from(publicKey, 'hex') });
  return { contract, secretKey: Buffer.from(secretKey, 'hex') };
}
