/** Emulation on a local chain of two shards that makes a block only on request: real contracts, emulated messages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTolkCompiler } from '@ton/tolk-js';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmulatedTraceAnswer, EmulatedTraceSchema } from '../../src/api/emulate/schemas.ts';
import { startServing } from '../../src/api/serve-stage.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceNodeAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { TransactionAnswer, TransactionsAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { chainPort, localnetChainPort } from '../../src/cli/compose/chain-port.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { Chance } from '../../src/localnet/traffic/chance.ts';
import { trafficKinds } from '../../src/localnet/traffic/traffic-kinds.ts';
import { walletMessage } from '../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { walletSeqno } from '../../src/localnet/wallets/wallet-seqno.ts';
import { formatFriendly, formatRaw } from '../../src/ton/address/address.ts';
import { LIBRARY } from '../../src/ton/boc/cell-type.ts';
import { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { commentBody } from '../../src/ton/messages/text-comment.ts';
import { type AccountAddress, storeAddress } from '../../src/ton/store/store-address.ts';
import { stateInitCell, stateInitHash } from '../../src/ton/store/store-state-init.ts';
import { TvmPool } from '../../src/tvm/pool/tvm-pool.ts';
import { addSample, differences, newShape } from '../conformance/shape.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { itWithData } from '../helpers/shared-data.ts';
import { trafficAccounts } from '../helpers/traffic-accounts.ts';

const { wallets, traffic, faucet } = genesisWallets('localnet', LOCALNET_GLOBAL_ID);
const tokens = genesisTokens({ seed: 'localnet', globalId: LOCALNET_GLOBAL_ID, faucet: faucet.address });
const { jetton } = tokens;
const [v3r1, v3r2, v4, v5] = ['v3r1', 'v3r2', 'v4r2', 'v5r1'].map(
  (version) => wallets.find((wallet) => wallet.version === version)!,
) as [Wallet, Wallet, Wallet, Wallet];
const TON = 1_000_000_000n;

const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);
const base64 = (cell: Cell) => writeBag(cell).toBase64();
/** The same account but for its last byte; `first` puts it into the shard of that byte. */
const besides = ({ address }: AccountAddress, last: number, first = address[0]!): AccountAddress => ({
  workchain: 0,
  address: address.with(31, last).with(0, first),
});
/** An account of the other shard. */
const across = (account: AccountAddress, last: number) => besides(account, last, account.address[0]! ^ 0x80);

/** Code of a contract that answers every message by `statements`. */
async function compiled(statements: string): Promise<Cell> {
  const source = `
    fun send(value: coins, mode: int, to: address) {
      val message = createMessage({ bounce: false, value, dest: to });
      message.send(mode);
    }
    fun onInternalMessage(in: InMessage) { ${statements} }`;
  const result = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
  if (result.status === 'error') throw new Error(result.message);
  return readCell(Uint8Array.fromBase64(result.codeBoc64));
}

/** A request that deploys a contract, with coins for a long run. */
function toNew(code: Cell) {
  const data = new CellBuilder().cell();
  const address = formatRaw(0, stateInitHash(code, data));
  const stateInit = base64(stateInitCell(code, data));
  return { from: raw(v5.address), messages: [{ address, amount: `${100_000n * TON}`, stateInit }] };
}

const isMap = (path: string) => /(address_book|metadata|currencies|transactions|_cells|details)$/.test(path);

/** Fields that the recorded answers are too old for, or that none of them happens to have. */
const NEWER = [
  '.actions[].finality new',
  '.address_book.*.interfaces new',
  '.metadata.* missing',
  '.transactions.*.finality new',
  '.transactions.*.in_msg.decoded_opcode new',
  '.transactions.*.in_msg.extra_flags new',
  '.transactions.*.in_msg.hash_norm missing',
  '.transactions.*.out_msgs[].decoded_opcode new',
  '.transactions.*.out_msgs[].extra_flags new',
];

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: EmulatedTraceAnswer & { readonly error?: string };
}

describe('emulation on a local chain', { timeout: 300_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi({ localnetShards: 2, fast: false, blockMs: 3_600_000 });
    await mine(3);
  }, 300_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  async function mine(steps: number): Promise<void> {
    const seqno = await api.control.mine(steps);
    const isServed = () => {
      const { contracts, actions } = api.context.vector();
      const isThere = (view: typeof contracts) => view.state === 'served' && view.visible.last >= seqno;
      return headOf(api.context) >= seqno && isThere(contracts) && isThere(actions);
    };
    while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const reply = await fetch(`${api.url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: reply.status, headers: reply.headers, json: (await reply.json()) as Reply['json'] };
  }
  const refusal = async (path: string, body: unknown) => {
    const { status, json } = await post(`emulate/v1/${path}`, body);
    return [status, json.error];
  };
  async function emulated(path: string, body: object, headers = {}): Promise<EmulatedTraceAnswer> {
    const { status, json } = await post(`emulate/v1/${path}`, body, headers);
    expect([status, json.error]).toEqual([200, undefined]);
    expect(Check(EmulatedTraceSchema, json)).toBe(true);
    return json;
  }
  const validUntil = Math.floor(Date.now() / 1000) + 3_600;
  const transfer = (wallet: Wallet, to: AccountAddress, text: string, seqno = 0) =>
    walletMessage(wallet, [{ to, value: TON, bounce: false, body: commentBody(text) }], {
      seqno,
      validUntil,
    });

  const nodes = (node: TraceNodeAnswer): TraceNodeAnswer[] => [node, ...(node.children ?? []).flatMap(nodes)];
  const ordered = ({ transactions }: EmulatedTraceAnswer): TransactionAnswer[] =>
    Object.values(transactions).toSorted((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)));

  it('predicts a transfer as the chain then executes it', async () => {
    const to = besides(v4.address, 7);
    const message = transfer(v4, to, 'soon');
    const answer = await emulated('emulateTrace', {
      boc: base64(message),
      with_actions: true,
      include_code_data: true,
      include_address_book: true,
      include_metadata: true,
    });
    const head = answer.mc_block_seqno;
    const [first, second] = ordered(answer) as [TransactionAnswer, TransactionAnswer];
    expect(answer).toMatchObject({
      is_incomplete: false,
      trace: {
        tx_hash: first.hash,
        in_msg_hash: message.hash().toBase64(),
        children: [{ tx_hash: second.hash, children: [] }],
      },
      actions: [
        {
          trace_id: null,
          type: 'ton_transfer',
          success: true,
          details: { source: raw(v4.address), destination: raw(to), value: `${TON}`, comment: 'soon' },
          trace_external_hash: message.hash().toBase64(),
          trace_mc_seqno_end: head + 1,
          accounts: expect.arrayContaining([raw(v4.address), raw(to)]),
        },
      ],
      metadata: {},
    });
    expect(Object.keys(answer.address_book!).sort()).toEqual([raw(v4.address), raw(to)].sort());
    expect(first).toMatchObject({
      emulated: true,
      finality: 'pending',
      mc_block_seqno: head + 1,
      trace_external_hash: message.hash().toBase64(),
      account_state_before: { account_status: 'active' },
      account_state_after: { account_status: 'active' },
    });
    expect(first.trace_id).toBeUndefined();
    expect(second).toMatchObject({
      orig_status: 'nonexist',
      account_state_before: { account_status: 'nonexist', balance: '0' },
      account_state_after: { account_status: 'uninit', balance: `${TON}` },
    });
    const state = first.account_state_after;
    expect(Object.keys(answer.code_cells!)).toEqual([state.code_hash]);
    expect(readCell(Uint8Array.fromBase64(answer.data_cells![state.data_hash!]!)).hash().toBase64()).toBe(
      state.data_hash,
    );

    expect((await post('v3/message', { boc: base64(message) })).status).toBe(200);
    await mine(2);
    const made = await fetch(`${api.url}/api/v3/transactions?account=${raw(v4.address)}&limit=1`);
    const { transactions } = (await made.json()) as TransactionsAnswer;
    const real = transactions[0]!;
    const bare = ({ in_msg, out_msgs, description, account_state_after: after }: TransactionAnswer) => ({
      message: in_msg!.hash,
      sent: out_msgs.map(({ value, destination, message_content }) => ({
        value,
        destination,
        message_content,
      })),
      gas: description.compute_ph?.gas_used,
      fees: description.action?.total_fwd_fees,
      after: after.data_hash,
    });
    expect(bare(first)).toEqual(bare(real));
    expect(first.block_ref.shard).toBe(real.block_ref.shard);
    expect(first.block_ref.seqno).toBeLessThanOrEqual(real.block_ref.seqno);
  });

  it('runs messages to other shards in the blocks after', async () => {
    const seqno = 0;
    const far = across(v3r2.address, 3);
    const transfers = [besides(v3r2.address, 1), far].map((to) => ({ to, value: TON, bounce: false }));
    const answer = await emulated('emulateTrace', {
      boc: base64(walletMessage(v3r2, transfers, { seqno, validUntil })),
    });
    const head = answer.mc_block_seqno;
    const [sent, ...got] = ordered(answer) as [TransactionAnswer, ...TransactionAnswer[]];
    expect(got.map(({ account }) => account)).toEqual(transfers.map(({ to }) => raw(to)));
    expect([sent, ...got].map((one) => one.mc_block_seqno - head)).toEqual([1, 1, 2]);
    expect(got[0]!.block_ref).toEqual(sent.block_ref);
    expect(got[1]!.block_ref.shard).not.toBe(sent.block_ref.shard);
    expect(got[1]!.now).toBeGreaterThan(sent.now);
    expect(answer.actions).toBeUndefined();
    expect(answer.code_cells).toBeUndefined();
    expect(answer.address_book).toBeUndefined();
    expect(answer.metadata).toBeUndefined();
    const again = await emulated('emulateTrace', {
      boc: base64(walletMessage(v3r2, transfers, { seqno, validUntil })),
    });
    expect(again).toEqual(answer);
  });

  it('refuses what its wallet refuses, in the words that wallets show', async () => {
    const wrongSeqno = base64(transfer(v3r2, besides(v3r2.address, 1), 'late', 5));
    expect(await refusal('emulateTrace', { boc: wrongSeqno })).toEqual([
      500,
      'EmulationExternalNotAccepted: 33',
    ]);
    const foreign = { ...v3r1, key: v4.key };
    const unsigned = base64(transfer(foreign, besides(v3r1.address, 1), 'not mine'));
    expect(await refusal('emulateTrace', { boc: unsigned })).toEqual([
      500,
      'EmulationExternalNotAccepted: 35',
    ]);
    const ignoring = await emulated('emulateTrace', { boc: unsigned, ignore_chksig: true });
    expect(nodes(ignoring.trace)).toHaveLength(2);
    const nobody = { ...v4, address: besides(v4.address, 99) };
    const none = base64(transfer(nobody, v4.address, 'from nobody'));
    expect(await refusal('emulateTrace', { boc: none })).toEqual([500, 'EmulationExternalNotAccepted: -1']);
  });

  it.each([
    ['v3r1', v3r1],
    ['v4r2', v4],
    ['v5r1', v5],
  ])('sends what a TON Connect request asks of a wallet %s', async (_version, wallet) => {
    const bouncing = formatFriendly(0, across(wallet.address, 4).address, {
      bounceable: true,
      testOnly: false,
    });
    const plain = formatFriendly(0, besides(wallet.address, 5).address, {
      bounceable: false,
      testOnly: false,
    });
    const answer = await emulated('emulateTonConnect', {
      from: raw(wallet.address),
      messages: [
        { address: bouncing, amount: '7', payload: null },
        { address: plain, amount: '8', payload: base64(commentBody('hello')), stateInit: null },
      ],
      valid_until: null,
      with_actions: true,
    });
    const root = ordered(answer)[0]!;
    expect(root.out_msgs.map(({ value, bounce, destination }) => [value, bounce, destination])).toEqual([
      ['7', true, raw(across(wallet.address, 4))],
      ['8', false, raw(besides(wallet.address, 5))],
    ]);
    expect(answer.actions!.map(({ type }) => type)).toContain('ton_transfer');
  });

  it('follows a transfer of jettons, and knows the wallet that it deploys', async () => {
    const from = traffic.find(({ version }) => version === 'v4r2')!;
    const owner = across(from.address, 42);
    const body = new CellBuilder().uint(0x0f8a7ea5, 32).u64(9n).coins(5n).with(storeAddress, owner);
    body.with(storeAddress, from.address).bit(false).coins(1n).bit(false);
    const answer = await emulated('emulateTonConnect', {
      from: raw(from.address),
      messages: [
        {
          address: raw(jettonWalletAddress(jetton.minter.address, from.address)),
          amount: `${TON / 10n}`,
          payload: base64(body.cell()),
        },
      ],
      with_actions: true,
      include_metadata: true,
      include_address_book: true,
    });
    const deployed = raw(jettonWalletAddress(jetton.minter.address, owner));
    expect(answer.is_incomplete).toBe(false);
    expect(answer.actions!.map(({ type }) => type)).toEqual(['jetton_transfer', 'contract_deploy']);
    expect(answer.actions![0]).toMatchObject({
      type: 'jetton_transfer',
      success: true,
      details: {
        asset: raw(jetton.minter.address),
        sender: raw(from.address),
        receiver: raw(owner),
        receiver_jetton_wallet: deployed,
        amount: '5',
        query_id: '9',
      },
    });
    expect(answer.metadata![raw(jetton.minter.address)]).toMatchObject({
      token_info: [{ type: 'jetton_masters', valid: true }],
    });
    expect(answer.address_book![deployed]!.interfaces).toContain('jetton_wallet');
  });

  it('shows actions to the clients that know them', async () => {
    const boc = base64(transfer(v3r1, besides(v3r1.address, 1), 'hi'));
    const { actions } = await emulated(
      'emulateTrace',
      { boc, with_actions: true },
      { 'X-Actions-Version': 'v1' },
    );
    expect(actions!.map(({ type }) => type)).toEqual(['ton_transfer']);
  });

  it.each([
    ['sends a message to itself without end', 'send(0, 64, contract.getAddress());', 33],
    ['sends four for one', 'repeat (4) { send(10000000, 1, contract.getAddress()); }', 256],
  ])('stops if a contract %s', async (_what, statements, transactions) => {
    const answer = await emulated('emulateTonConnect', {
      ...toNew(await compiled(statements)),
      with_actions: true,
    });
    expect(answer.is_incomplete).toBe(true);
    // Fewer on a slow machine: the time is a limit too.
    expect(nodes(answer.trace).length).toBeLessThanOrEqual(transactions);
    expect(Object.keys(answer.transactions)).toHaveLength(nodes(answer.trace).length);
  });

  it('ends messages that would fill the memory', async () => {
    // Messages with one large body: a small bag of cells, many times its size once they are apart.
    let body = new CellBuilder().cell();
    for (let i = 0; i < 220; i++)
      body = new CellBuilder().uint(i, 32).bytes(new Uint8Array(110)).ref(body).cell();
    const transfers = Array.from({ length: 220 }, (_, i) => ({
      to: besides(v5.address, i),
      value: TON,
      bounce: false,
      body,
    }));
    const boc = base64(walletMessage(v5, transfers, { seqno: 0, validUntil }));
    const { status, json } = await post('emulate/v1/emulateTrace', { boc });
    expect([status, json.error]).toEqual([500, 'the messages of the first transaction are too large']);
  });

  it('stops at its time limit, and returns the result so far', async () => {
    const burn = 'var n = 0; repeat (5000) { n += 1; }';
    const code = await compiled(`${burn} repeat (4) { send(100000000, 1, contract.getAddress()); }`);
    const answer = await emulated('emulateTonConnect', toNew(code));
    expect(answer.is_incomplete).toBe(true);
    const known = nodes(answer.trace).map(({ tx_hash }) => tx_hash);
    expect(known.sort()).toEqual(Object.keys(answer.transactions).sort());
  });

  it('takes no more at a time than there is room for, and forgets clients that leave', async () => {
    const pool = new TvmPool({ threads: 1, timeoutMs: 3_000, maxQueued: 1 });
    const { url, close } = await startServing(
      { ...api.context, chain: localnetChainPort(api.control, pool) },
      { host: '127.0.0.1', port: 0 },
    );
    try {
      const body = toNew(await compiled('repeat (4) { send(10000000, 1, contract.getAddress()); }'));
      const ask = (signal: AbortSignal | null = null) =>
        fetch(`${url}/api/emulate/v1/emulateTonConnect`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal,
        });
      const replies = await Promise.all(Array.from({ length: 6 }, () => ask()));
      const refused = replies.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => '1'));
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      const leaving = new AbortController();
      const left = ask(leaving.signal).catch(() => null);
      await vi.waitFor(() => expect(pool.running).toBe(1), { timeout: 60_000, interval: 1 });
      leaving.abort();
      await left;
      await vi.waitFor(() => expect(pool.running + pool.queued).toBe(0), { timeout: 60_000, interval: 5 });
      expect((await ask()).status).toBe(200);
    } finally {
      await close();
      await pool.close();
    }
  });

  describe('without a chain', () => {
    const libraryOf = (hash: Uint8Array) =>
      new Cell(264, Buffer.concat([Uint8Array.of(LIBRARY), hash]), [], LIBRARY);
    let pool: TvmPool;
    let served: Awaited<ReturnType<typeof startServing>>;
    beforeAll(async () => {
      pool = new TvmPool({ threads: 1, timeoutMs: 60_000 });
      const chain = chainPort(null, pool);
      served = await startServing({ ...api.context, chain }, { host: '127.0.0.1', port: 0 });
    });
    afterAll(async () => {
      await served?.close();
      await pool?.close();
    });

    /** Outcome of a contract that is deployed with this code. */
    async function deployed(code: Cell) {
      const order = toNew(code);
      const reply = await fetch(`${served.url}/api/emulate/v1/emulateTonConnect`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      });
      const answer = (await reply.json()) as EmulatedTraceAnswer & { error?: string };
      expect([reply.status, answer.error]).toEqual([200, undefined]);
      const address = order.messages[0]!.address;
      const run = Object.values(answer.transactions).find(({ account }) => account === address);
      return { run: run?.description.compute_ph, isIncomplete: answer.is_incomplete };
    }

    it('runs a code that is a library of the store', async () => {
      // A busy machine may not be through within the time of an emulation.
      const whole = async () =>
        expect(await deployed(libraryOf(v3r2.code.hash()))).toMatchObject({
          run: { success: true, exit_code: 0 },
          isIncomplete: false,
        });
      await vi.waitFor(whole, { timeout: 240_000, interval: 100 });
    });

    it('does not follow a message to a code that is an unknown library', async () => {
      expect(await deployed(libraryOf(new Uint8Array(32).fill(0xaa)))).toEqual({
        run: undefined,
        isIncomplete: true,
      });
    });
  });

  itWithData('has the fields of recorded answers', async (data) => {
    const folder = join(data, 'api-recordings/toncenter-emulate');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    const recorded = newShape();
    for (const file of files)
      addSample(recorded, JSON.parse(readFileSync(join(folder, file), 'utf8')), isMap);
    const ours = newShape();
    for (const text of ['one', 'two']) {
      const choices = { with_actions: true, include_code_data: true, include_address_book: true };
      const boc = base64(transfer(v3r1, besides(v3r1.address, 1), text));
      addSample(ours, await emulated('emulateTrace', { boc, ...choices, include_metadata: true }), isMap);
    }
    const found = differences(recorded, ours).filter(
      (line) => !/\.decoded\.| (is [a-z :]+|not always there)$/.test(line),
    );
    expect(found.sort()).toEqual(NEWER);
  });

  const deep = () => {
    let cell = new CellBuilder().cell();
    for (let i = 0; i < 700; i++) cell = new CellBuilder().ref(cell).cell();
    return cell;
  };

  it.each([
    ['nothing', {}, 400, 'invalid request: boc is required'],
    ['null', { boc: null }, 400, 'invalid request: boc is required'],
    ['a number', { boc: 5 }, 400, 'invalid request: boc must be a string'],
    ['no base64', { boc: '!!!!' }, 400, /^invalid request: invalid boc: /],
    ['base64 of the other alphabet', { boc: 'te6ccgEBAQEAAgAAAA__' }, 400, /^invalid request: invalid boc: /],
    ['no bag', { boc: 'AAAA' }, 400, /^invalid request: invalid boc: /],
    ['a bag that ends early', { boc: 'te6ccgEBAQE=' }, 400, /^invalid request: invalid boc: /],
    ['a deep bag', { boc: base64(deep()) }, 400, /^invalid request: invalid boc: /],
    ['no message', { boc: base64(new CellBuilder().cell()) }, 500, /^Can't deserialize message boc: /],
    [
      'no truth',
      { boc: base64(transfer(v4, v4.address, '')), with_actions: 'yes' },
      400,
      'invalid request: with_actions must be a boolean',
    ],
    [
      'a block to come',
      { boc: base64(transfer(v4, v4.address, '')), mc_block_seqno: 1_000_000 },
      500,
      'mc block seqno is too new',
    ],
    ['no JSON', '{', 400, /^invalid request: /],
    ['a list', '[]', 400, /^invalid request: /],
  ])('reports what is wrong with %s', async (_what, body, status, error) => {
    const found = await refusal('emulateTrace', body);
    expect(found).toEqual([status, typeof error === 'string' ? error : expect.stringMatching(error)]);
  });

  const to = { address: raw(v4.address), amount: '1' };
  it.each([
    [{}, 400, 'invalid request: from address is required for emulation'],
    [{ from: 'me', messages: [to] }, 400, 'invalid request: from address cannot be read'],
    [{ from: raw(v4.address) }, 400, 'invalid request: messages array cannot be empty'],
    [{ messages: [] }, 400, 'invalid request: messages array cannot be empty'],
    [
      { messages: [to, to, to, to, to] },
      400,
      'invalid request: messages array cannot contain more than 4 messages',
    ],
    [{ messages: [to, {}] }, 400, 'invalid request: message at index 1 cannot be empty'],
    [
      { messages: [{ address: to.address }] },
      400,
      'invalid request: amount in message at index 0 cannot be empty',
    ],
    [
      { messages: [{ ...to, amount: '-1' }] },
      400,
      /^invalid request: invalid amount in message at index 0: /,
    ],
    [
      { messages: [{ ...to, amount: `${1n << 64n}` }] },
      400,
      /^invalid request: invalid amount in message at index 0: /,
    ],
    [{ messages: [{ ...to, payload: 'x' }] }, 400, /^invalid request: invalid message payload at index 0: /],
    [
      { messages: [{ ...to, stateInit: 'x' }] },
      400,
      /^invalid request: invalid message stateInit at index 0: /,
    ],
    [{ from: raw(besides(v4.address, 250)), messages: [to] }, 500, 'Account state no code or no data'],
    [{ from: raw(jetton.minter.address), messages: [to] }, 500, 'Account is not a known wallet'],
  ])('reports what is wrong with the TON Connect request %#', async (body, status, error) => {
    const found = await refusal('emulateTonConnect', { from: raw(v4.address), ...body });
    const from = 'from' in body || Object.keys(body).length > 0;
    if (!from) expect(await refusal('emulateTonConnect', body)).toEqual([status, error]);
    else expect(found).toEqual([status, typeof error === 'string' ? error : expect.stringMatching(error)]);
  });

  it('emulates on an earlier block too', async () => {
    await mine(1);
    const seqno = headOf(api.context) - 1;
    const boc = base64(transfer(v3r1, besides(v3r1.address, 1), 'then'));
    expect((await emulated('emulateTrace', { boc, mc_block_seqno: seqno })).mc_block_seqno).toBe(seqno);
    const { headers } = await post('emulate/v1/emulateTrace', { boc });
    expect(headers.get('server-timing')).toMatch(/^app;dur=/);
  });

  it('has a page of documentation', async () => {
    const document = (await (await fetch(`${api.url}/api/emulate/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(document.paths)).toEqual([
      '/api/emulate/v1/emulateTrace',
      '/api/emulate/v1/emulateTonConnect',
    ]);
  });

  /** Actions of each kind of traffic; `!`: failed. A bounced message is a call, as are ops that no rule knows. */
  const KINDS: Readonly<Record<string, readonly string[]>> = {
    transfer: ['ton_transfer'],
    payout: ['ton_transfer', 'ton_transfer', 'ton_transfer', 'ton_transfer'],
    'cold address': ['ton_transfer'],
    'bounce from nowhere': ['!ton_transfer', 'call_contract'],
    failure: ['!ton_transfer', 'call_contract'],
    // Nothing was sent: the action is the transfer asked of the wallet.
    'too much': ['!ton_transfer'],
    masterchain: ['ton_transfer'],
    'jetton transfer': ['jetton_transfer'],
    'jetton burn': ['jetton_burn'],
    'too many jettons': ['!call_contract', 'call_contract'],
    'swap TON': ['jetton_swap'],
    'swap jettons': ['jetton_swap'],
    'swap TON too dear': ['!jetton_swap'],
    'swap jettons too dear': ['!jetton_swap'],
    'NFT transfer': ['nft_transfer'],
    'NFT offer': ['contract_deploy', 'nft_put_on_sale'],
    'NFT purchase': ['nft_purchase', 'ton_transfer', 'ton_transfer'],
    'NFT auction': ['contract_deploy', 'nft_put_on_auction'],
    'auction bid': ['auction_bid'],
    'username auction': ['teleitem_start_auction'],
    'username bid': ['auction_bid'],
    'NFT of another owner': ['!nft_transfer', 'call_contract'],
  };

  // The ends of listings are in localnet-trades.slow.test.ts.
  it('predicts kinds of traffic as they are stored later', {
    timeout: 900_000,
  }, async () => {
    const shown = (actions: readonly { readonly type: string; readonly success: boolean | null }[]) =>
      actions.map(({ type, success }) => `${success ? '' : '!'}${type}`).sort();
    const kinds = trafficKinds(tokens);
    const named = (names: readonly string[]) => kinds.filter(({ name }) => names.includes(name));
    const listings = ['NFT transfer', 'NFT of another owner', 'NFT offer', 'NFT auction', 'username auction'];
    // The assets of a pool are known after its first swap, and an item can be bought after an offer.
    const later = [
      'NFT purchase',
      'auction bid',
      'username bid',
      'swap TON too dear',
      'swap jettons too dear',
    ];
    const others = Object.keys(KINDS).filter((name) => ![...listings, ...later].includes(name));
    const turns = [others, listings, later].map(named);
    const emulatedOf: Record<string, readonly string[]> = {};
    const storedOf: Record<string, readonly string[]> = {};
    for (const [turn, together] of turns.entries()) {
      const account = await trafficAccounts(api.control, traffic, tokens);
      const utime = Math.floor(Date.now() / 1000);
      const sent: { readonly name: string; readonly by: Wallet; readonly message: Cell }[] = [];
      for (const [index, { name, make }] of together.entries()) {
        const from = traffic[index % traffic.length]!;
        // The messages of an earlier turn are processed.
        const scene = {
          chance: new Chance(name),
          from,
          wallets: traffic,
          round: 100 * (turn + 1),
          utime,
          account,
        };
        // Few items may be what the kind is about: it looks at some of them, by chance.
        let act = make(scene);
        // A wallet acts once a turn: the seqno of its next message is known after the blocks.
        const isFree = () => act !== null && !sent.some(({ by }) => by === act!.from);
        for (let looks = 1; !isFree() && looks < 1_000; looks++) act = make(scene);
        if (!act || !isFree()) throw new Error(`${name} cannot be done`);
        const seqno = walletSeqno(act.from, account(act.from.address));
        const message = walletMessage(act.from, act.transfers, { seqno, validUntil });
        sent.push({ name, by: act.from, message });
      }
      for (const { name, message } of sent) {
        const answer = await emulated('emulateTrace', { boc: base64(message), with_actions: true });
        emulatedOf[name] = shown(answer.actions!);
      }
      for (const { message } of sent)
        expect((await post('v3/message', { boc: base64(message) })).status).toBe(200);
      await mine(12);
      for (const { name, message } of sent) {
        const hash = encodeURIComponent(Buffer.from(message.hash()).toString('base64'));
        const reply = await fetch(`${api.url}/api/v3/traces?msg_hash=${hash}&include_actions=true`);
        const { traces } = (await reply.json()) as { traces: { actions: ActionAnswer[] }[] };
        storedOf[name] = shown(traces.flatMap(({ actions }) => actions));
      }
    }
    expect(storedOf).toEqual(KINDS);
    // The contract of a listing is not indexed before its block.
    const listed = ['contract_deploy', 'nft_transfer', 'nft_transfer', 'ton_transfer'];
    expect(emulatedOf).toEqual({ ...KINDS, 'NFT offer': listed, 'NFT auction': listed });
  });
});
