/** Pending transactions and traces of a local chain that makes a block with messages only on request. */
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServing } from '../../src/api/serve-stage.ts';
import { type ActionsAnswer, ActionsSchema } from '../../src/api/v3/schemas/action.ts';
import { type TraceAnswer, type TracesAnswer, TracesSchema } from '../../src/api/v3/schemas/trace.ts';
import {
  type TransactionAnswer,
  type TransactionsAnswer,
  TransactionsSchema,
} from '../../src/api/v3/schemas/transaction.ts';
import { genesisTokens } from '../../src/localnet/genesis/genesis-contracts.ts';
import { jettonWalletAddress } from '../../src/localnet/genesis/genesis-jetton.ts';
import { genesisWallets } from '../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../src/localnet/localnet-source.ts';
import { type Transfer, walletMessage } from '../../src/localnet/wallets/transfer.ts';
import type { Wallet } from '../../src/localnet/wallets/wallet.ts';
import { formatFriendly, formatRaw } from '../../src/ton/address/address.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { commentBody } from '../../src/ton/messages/text-comment.ts';
import { type AccountAddress, storeAddress } from '../../src/ton/store/store-address.ts';
import { booked } from '../helpers/address-books.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';
import { openSse } from '../helpers/stream-client.ts';

const { wallets, traffic, faucet } = genesisWallets('localnet', LOCALNET_GLOBAL_ID);
const v5 = wallets.find(({ version }) => version === 'v5r1')!;
const v4 = wallets.find(({ version }) => version === 'v4r2')!;
const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

describe('what is pending on a local chain', { timeout: 600_000 }, () => {
  let api: LocalApi;
  beforeAll(async () => {
    api = await openLocalApi({ localnetShards: 2, fast: false, blockMs: 3_600_000 });
    await mined(await api.control.mine(3));
  }, 600_000);
  afterAll(async () => {
    await api?.close();
    expect(api?.logged).toEqual([]);
  });

  const get = async (path: string, query: Record<string, string>) => {
    const reply = await fetch(`${api.url}/api/v3/${path}?${new URLSearchParams(query)}`);
    return { status: reply.status, json: (await reply.json()) as unknown };
  };
  const pendingOf = async (query: Record<string, string>): Promise<TransactionAnswer[]> => {
    const { status, json } = await get('pendingTransactions', query);
    if (status === 404) expect(json).toEqual({ code: 404, error: 'emulated traces not found' });
    if (status === 404) return [];
    expect(status).toBe(200);
    expect(Check(TransactionsSchema, json)).toBe(true);
    const answer = json as TransactionsAnswer;
    expect(Object.keys(answer.address_book).sort()).toEqual(booked('pending', { ...answer }));
    return answer.transactions;
  };
  const tracesOf = async (query: Record<string, string>): Promise<TracesAnswer> => {
    const { status, json } = await get('pendingTraces', query);
    expect([status, Check(TracesSchema, json)]).toEqual([200, true]);
    return json as TracesAnswer;
  };
  const transactionsOf = async (account: string) => {
    const { json } = await get('transactions', { account, limit: '10' });
    return (json as TransactionsAnswer).transactions;
  };

  /** Until answers speak of a masterchain block. */
  async function mined(seqno: number): Promise<void> {
    const isServed = () => {
      const { contracts } = api.context.vector();
      return headOf(api.context) >= seqno && contracts.state === 'served' && contracts.visible.last >= seqno;
    };
    while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  async function send(from: Wallet, seqno: number, ...transfers: Transfer[]) {
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    const boc = writeBag(walletMessage(from, transfers, { seqno, validUntil })).toBase64();
    const reply = await fetch(`${api.url}/api/v3/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ boc }),
    });
    expect(reply.status).toBe(200);
    return (await reply.json()) as { message_hash: string; message_hash_norm: string };
  }

  const actionsOf = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${api.url}/api/v3/pendingActions?${new URLSearchParams(query)}`, { headers });
    const json = await reply.json();
    expect([reply.status, Check(ActionsSchema, json)]).toEqual([200, true]);
    return json as ActionsAnswer;
  };

  it('has its actions, with the wallet that a transfer of jettons deploys', async () => {
    const from = traffic.find(({ version }) => version === 'v4r2')!;
    const owner = {
      workchain: 0,
      address: from.address.address.with(31, 7).with(0, from.address.address[0]! ^ 0x80),
    };
    const body = new CellBuilder().uint(0x0f8a7ea5, 32).u64(9n).coins(5n).with(storeAddress, owner);
    body.with(storeAddress, from.address).bit(false).coins(1n).bit(false);
    const { minter } = genesisTokens({
      seed: 'localnet',
      globalId: LOCALNET_GLOBAL_ID,
      faucet: faucet.address,
    }).jetton;
    const to = jettonWalletAddress(minter.address, from.address);
    const transfer = { to, value: 100_000_000n, bounce: true, body: body.cell() };
    const { message_hash } = await send(from, 0, transfer);

    const found = await actionsOf({ ext_msg_hash: message_hash });
    expect(found.actions.map(({ type }) => type)).toEqual(['jetton_transfer', 'contract_deploy']);
    expect(found.actions[0]).toMatchObject({
      trace_id: null,
      trace_external_hash: message_hash,
      success: true,
      finality: 'pending',
      details: {
        asset: raw(minter.address),
        sender: raw(from.address),
        receiver: raw(owner),
        receiver_jetton_wallet: raw(jettonWalletAddress(minter.address, owner)),
        amount: '5',
      },
    });
    expect(found.metadata[raw(minter.address)]).toMatchObject({ token_info: [{ type: 'jetton_masters' }] });
    expect(Object.keys(found.address_book)).toContain(raw(jettonWalletAddress(minter.address, owner)));
    expect(Object.keys(found.address_book).sort()).toEqual(booked('actions', { ...found }));
    expect(found.actions[0]).not.toHaveProperty('transactions_full');
    // Its block may come between the two questions.
    const unplaced = ({ trace_id: _, trace_mc_seqno_end: __, ...action }: Record<string, unknown>) => action;
    const pending = await tracesOf({ ext_msg_hash: message_hash });
    expect(Object.keys(pending.address_book).sort()).toEqual(booked('traces', { ...pending }));
    const [trace] = pending.traces;
    expect(trace!.actions!.map(unplaced)).toEqual(found.actions.map(unplaced));

    const { actions: full } = await actionsOf({ account: raw(owner), include_transactions: 'true' });
    expect(full.map(({ type }) => type)).toEqual(['jetton_transfer']);
    expect(full[0]!.transactions_full!.map(({ hash }) => hash)).toEqual(full[0]!.transactions);
    expect((await actionsOf({ account: raw(v5.address) })).actions).toEqual([]);
    expect(
      (
        await actionsOf(
          { ext_msg_hash: message_hash, supported_action_types: 'v4' },
          { 'X-Actions-Version': 'v1' },
        )
      ).actions,
    ).toEqual(found.actions);

    await mined(await api.control.mine(6));
    expect((await actionsOf({ ext_msg_hash: message_hash })).actions).toEqual([]);
  });

  it('is found by account and by message until it is in a block, and is then the same', async () => {
    // No block for want of work comes between the message and the first question.
    await mined(await api.control.mine(1));
    // In the same shard: one block has all of it.
    const near = { workchain: 0, address: v4.address.address.with(31, 7) };
    const [sender, to] = [raw(v4.address), raw(near)];
    const transfer = { to: near, value: 5n, bounce: false, body: commentBody('soon') };
    const { message_hash, message_hash_norm } = await send(v4, 0, transfer);

    const [pending] = await pendingOf({
      account: formatFriendly(0, v4.address.address, { bounceable: true, testOnly: false }),
    });
    expect(pending).toMatchObject({
      account: sender,
      mc_block_seqno: 0,
      trace_external_hash: message_hash,
      emulated: true,
      finality: 'pending',
      description: { type: 'ord', aborted: false, is_tock: false, installed: false },
      in_msg: { hash: message_hash, source: null },
      out_msgs: [{ destination: to, value: '5' }],
      account_state_before: { account_status: 'active' },
      account_state_after: { account_status: 'active' },
    });
    expect(pending).not.toHaveProperty('trace_id');
    const both = await pendingOf({ account: `${sender},${to}` });
    expect(both.map(({ account }) => account)).toEqual([to, sender]);
    expect(await pendingOf({ trace_id: pending!.hash })).toEqual(both);
    expect(await pendingOf({ trace_id: message_hash, account: to })).toEqual(both.slice(0, 1));
    expect(await pendingOf({ account: raw(v5.address) })).toEqual([]);

    const { traces, address_book, metadata } = await tracesOf({ ext_msg_hash: message_hash_norm });
    expect(Object.keys(address_book).sort()).toEqual([sender, to].sort());
    expect(metadata).toEqual({});
    expect(traces).toEqual([
      {
        trace_id: null,
        external_hash: message_hash,
        mc_seqno_start: '0',
        mc_seqno_end: '0',
        start_lt: both[1]!.lt,
        start_utime: both[1]!.now,
        end_lt: both[0]!.lt,
        end_utime: both[0]!.now,
        trace_info: {
          trace_state: 'pending',
          messages: 2,
          transactions: 2,
          pending_messages: 0,
          classification_state: 'ok',
        },
        is_incomplete: false,
        actions: [
          expect.objectContaining({
            trace_id: null,
            type: 'ton_transfer',
            details: expect.objectContaining({
              source: sender,
              destination: to,
              value: '5',
              comment: 'soon',
            }),
            trace_external_hash: message_hash,
            trace_mc_seqno_end: 0,
            finality: 'pending',
          }),
        ],
        trace: {
          tx_hash: both[1]!.hash,
          in_msg_hash: message_hash,
          children: [{ tx_hash: both[0]!.hash, in_msg_hash: both[0]!.in_msg!.hash, children: [] }],
        },
        transactions_order: [both[1]!.hash, both[0]!.hash],
        transactions: Object.fromEntries(both.map((transaction) => [transaction.hash, transaction])),
      } satisfies TraceAnswer,
    ]);
    for (const query of [
      { ext_msg_hash: message_hash },
      { account: to },
      { account: sender, ext_msg_hash: pending!.hash },
    ])
      expect((await tracesOf(query)).traces).toEqual(traces);
    expect((await tracesOf({ ext_msg_hash: pending!.hash })).traces).toEqual([]);
    expect((await tracesOf({ account: to, x_no_address_book: 'true' })).address_book).toEqual({});

    const made = api.control.mine(1);
    // At every moment it is pending or served.
    for (;;) {
      const waiting = await pendingOf({ account: sender });
      if (waiting.length === 0) break;
      expect(waiting).toHaveLength(1);
    }
    const [served] = await transactionsOf(sender);
    await mined(await made);
    expect((await tracesOf({ ext_msg_hash: message_hash })).traces).toEqual([]);
    expect(served).toMatchObject({ emulated: false, finality: 'finalized', mc_block_seqno: await made });
    expect(timeless(served!)).toEqual(timeless(pending!));
    expect(timeless((await transactionsOf(to))[0]!)).toEqual(timeless(both[0]!));
  });

  it('keeps what is in blocks already apart from what is to come in other shards', async () => {
    const away = {
      workchain: 0,
      address: v5.address.address.map((byte, i) => (i === 0 ? byte ^ 0x80 : byte)),
    };
    const account = raw(away);
    const sender = raw(v5.address);
    const { message_hash } = await send(v5, 0, { to: away, value: 7n, bounce: false });
    const [foreseen] = await pendingOf({ account });
    expect(foreseen).toMatchObject({ orig_status: 'nonexist', end_status: 'uninit', in_msg: { value: '7' } });
    await mined(await api.control.mine(1));

    expect(await pendingOf({ account: sender })).toEqual([]);
    const [root] = await transactionsOf(sender);
    const [left] = await pendingOf({ account });
    expect(left).toMatchObject({ trace_id: root!.hash, trace_external_hash: message_hash, emulated: true });
    const [trace] = (await tracesOf({ account: sender })).traces;
    expect(trace).toMatchObject({
      trace_id: root!.hash,
      external_hash: message_hash,
      mc_seqno_start: `${root!.mc_block_seqno}`,
      mc_seqno_end: `${root!.mc_block_seqno}`,
      is_incomplete: false,
      transactions_order: [root!.hash, left!.hash],
    });
    // One transaction as stored, the other as foreseen.
    expect(trace!.transactions![root!.hash]).toEqual({ ...root, trace_id: root!.hash });
    expect(trace!.transactions![left!.hash]).toEqual(left);

    await mined(await api.control.mine(1));
    expect(await pendingOf({ account })).toEqual([]);
    expect((await tracesOf({ account })).traces).toEqual([]);
    const [arrived] = await transactionsOf(account);
    expect(timeless(arrived!)).toEqual(timeless(left!));
  });

  it('is also shown for the faucet of `localnet fund`, in the order of sending', async () => {
    const account = { workchain: 0, address: new Uint8Array(32).fill(3) };
    await api.control.fund(account, 11n);
    await api.control.fund(account, 12n);
    const found = await pendingOf({ account: raw(account) });
    expect(found.map(({ in_msg }) => in_msg!.value)).toEqual(['12', '11']);
    const { traces } = await tracesOf({ account: raw(account) });
    expect(traces.map(({ transactions_order: order }) => order!.at(-1))).toEqual(
      found.map(({ hash }) => hash).reverse(),
    );
    await mined(await api.control.mine(2));
    expect(await pendingOf({ account: raw(account) })).toEqual([]);
  });

  it('is sent to streams that want it, and invalidated if it never comes', { timeout: 600_000 }, async () => {
    const from = traffic.findLast(({ version }) => version === 'v4r2')!;
    const account = raw(from.address);
    // The source of the second server can forget.
    let knows = true;
    const { chain } = api.context;
    const pending = {
      traces: async (served: number) =>
        knows ? chain!.pending!.traces(served) : { externals: [], blocks: [] },
    };
    const second = await startServing(
      { ...api.context, chain: { ...chain!, pending } },
      { host: '127.0.0.1', port: 0 },
    );
    const asked = { types: ['transactions'], addresses: [account], include_address_book: true };
    const acting = { ...asked, types: ['actions'] };
    const [early, foreseeing, late, forgetful] = await Promise.all([
      openSse(api.url, { ...asked, min_finality: 'pending' }),
      openSse(api.url, { ...acting, min_finality: 'pending' }),
      openSse(api.url, asked),
      openSse(second.url, { ...asked, min_finality: 'pending' }),
    ]);
    const until = async (is: () => boolean) => {
      while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const reply = await fetch(`${api.url}/api/v3/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: account, method: 'seqno', stack: [] }),
    });
    const seqno = Number(((await reply.json()) as { stack: { value: string }[] }).stack[0]!.value);
    const to = { workchain: 0, address: new Uint8Array(32).fill(0x51) };
    const { message_hash_norm: norm } = await send(from, seqno, { to, value: 1_000n, bounce: false });
    // One that asks for the trace comes when the message is known.
    const tracing = await openSse(api.url, {
      types: ['trace'],
      trace_external_hash_norms: [norm],
      min_finality: 'pending',
    });
    await until(() => [early, forgetful, foreseeing, tracing].every(({ events }) => events.length > 0));
    const { data: foreseen, id: place } = foreseeing.events[0]!;
    expect(place).toBeNull();
    expect(foreseen).toMatchObject({
      type: 'actions',
      finality: 'pending',
      trace_external_hash_norm: norm,
      actions: [{ type: 'ton_transfer', finality: 'pending', details: { source: account } }],
    });
    expect(foreseen.address_book).toHaveProperty([account]);
    const { data: traced } = tracing.events[0]!;
    expect(traced).toMatchObject({ type: 'trace', finality: 'pending', trace_external_hash_norm: norm });
    const { transactions, actions } = traced as { transactions: object; actions: object[] };
    expect(Object.values(transactions).length).toBeGreaterThan(0);
    for (const one of Object.values(transactions)) expect(one).toMatchObject({ emulated: true });
    expect(actions).toMatchObject([{ type: 'ton_transfer' }]);
    for (const { data, id } of [early.events[0]!, forgetful.events[0]!]) {
      expect(id).toBeNull();
      expect(data).toMatchObject({
        type: 'transactions',
        finality: 'pending',
        trace_external_hash_norm: norm,
      });
      expect(data.transactions).toMatchObject([{ account, emulated: true, mc_block_seqno: 0 }]);
      expect(data.address_book).toHaveProperty([account]);
    }
    expect(late.events).toEqual([]);
    knows = false;
    await until(() => forgetful.events.some(({ data }) => data.type === 'trace_invalidated'));
    expect(forgetful.events.at(-1)!.data).toEqual({
      type: 'trace_invalidated',
      trace_external_hash_norm: norm,
    });
    await mined(await api.control.mine(3));
    await until(() => early.events.at(-1)!.data.finality === 'finalized' && late.events.length > 0);
    expect(late.events[0]!.data).toMatchObject({ finality: 'finalized', trace_external_hash_norm: norm });
    expect(early.events.map(({ data }) => data.type)).not.toContain('trace_invalidated');
    await until(() => foreseeing.events.at(-1)!.data.finality === 'finalized');
    await until(() => tracing.events.at(-1)!.data.finality === 'finalized');
    await Promise.all([early, late, forgetful, foreseeing, tracing].map((stream) => stream.close()));
    await second.close();
  });

  it('is in the OpenAPI document', async () => {
    const { json } = await get('openapi.json', {});
    const { paths } = json as { paths: Record<string, { get: { parameters: { name: string }[] } }> };
    const names = (path: string) => paths[`/api/v3/${path}`]?.get.parameters.map(({ name }) => name);
    expect(names('pendingTransactions')).toEqual(expect.arrayContaining(['account', 'trace_id']));
    expect(names('pendingTraces')).toEqual(
      expect.arrayContaining(['account', 'ext_msg_hash', 'supported_action_types']),
    );
  });
});

/** The parts of a transaction that do not depend on when, and in which block, it was executed. */
function timeless(transaction: TransactionAnswer) {
  const { account, orig_status, end_status, description, in_msg, out_msgs } = transaction;
  const { compute_ph, action, aborted, destroyed, credit_first } = description;
  const internal = in_msg?.source !== null;
  return {
    account,
    statuses: [orig_status, end_status],
    outcome: { compute_ph, action, aborted, destroyed, credit_first },
    // The hash of an internal message has its lt and time in it.
    incoming: in_msg && [internal ? null : in_msg.hash, in_msg.value, in_msg.message_content],
    outgoing: out_msgs.map(({ destination, value, message_content }) => [
      destination,
      value,
      message_content,
    ]),
  };
}
