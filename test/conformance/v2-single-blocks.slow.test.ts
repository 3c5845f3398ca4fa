/** Blocks of 2019 to 2026 without their neighbours: comments, external messages, state inits, forward fees. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell, loadTransaction } from '@ton/core';
import { type FastifyInstance, fastify } from 'fastify';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { METHODS_BY_NAME } from '../../src/api/v2/methods/methods.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { registerV2 } from '../helpers/register-v2.ts';
import { describeWithData } from '../helpers/shared-data.ts';

interface MessageAnswer {
  readonly hash: string;
  readonly source: { readonly account_address: string };
  readonly destination: { readonly account_address: string };
  readonly body_hash: string;
  readonly value: string;
  readonly fwd_fee: string;
  readonly created_lt: string;
  readonly msg_data: { readonly '@type': string; readonly body?: string; readonly init_state?: string };
}

interface TransactionAnswer {
  readonly data: string;
  readonly transaction_id: { readonly lt: string; readonly hash: string };
  readonly fee: string;
  readonly in_msg?: MessageAnswer;
  readonly out_msgs: readonly MessageAnswer[];
}

describeWithData('v2 over single mainnet blocks', (data) => {
  const folder = join(data, 'blocks/mainnet-single');
  let store: IndexedStore;
  let app: FastifyInstance;

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [folder], isolated: true });
    app = fastify();
    await registerV2(app, store.context);
  });
  afterAll(async () => {
    await app?.close();
    await store?.close();
    expect(store?.logged).toEqual([]);
  });

  async function rpc<T>(method: string, params: object): Promise<T> {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/v2/jsonRPC',
      payload: { id: 1, method, params },
    });
    const body = reply.json();
    expect(body, reply.body.slice(0, 300)).toMatchObject({ ok: true, id: '1' });
    const schema = METHODS_BY_NAME.get(method)!.result;
    expect([...Value.Errors(schema, body.result)].slice(0, 3)).toEqual([]);
    return body.result as T;
  }

  it('every transaction equals what @ton/core reads from its cell', async () => {
    const kinds = new Set<string>();
    let seen = 0;
    for (const { header } of store.blocks) {
      const { workchain, shard, seqno } = header;
      const params = { workchain, shard: `${BigInt.asIntN(64, shard)}`, seqno, count: 10_000 };
      const { transactions } = await rpc<{ transactions: TransactionAnswer[] }>(
        'getBlockTransactionsExt',
        params,
      );
      for (const answer of transactions) {
        checkTransaction(answer, kinds);
        seen++;
      }
    }
    expect(seen).toBe(transactionsInFacts(folder));
    // The kinds that the set is meant to show are really in it.
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'external-in',
        'external-out',
        'init',
        'internal',
        'msg.dataRaw',
        'msg.dataText',
      ]),
    );
  });
});

function transactionsInFacts(folder: string): number {
  const files = readdirSync(folder).filter((name) => name.endsWith('.facts.json'));
  return files.reduce(
    (sum, file) => sum + JSON.parse(readFileSync(join(folder, file), 'utf8')).transactions.length,
    0,
  );
}

function checkTransaction(answer: TransactionAnswer, kinds: Set<string>): void {
  const cell = Cell.fromBase64(answer.data);
  expect(cell.hash().toString('base64')).toBe(answer.transaction_id.hash);
  const transaction = loadTransaction(cell.asSlice());
  const out = [...transaction.outMessages.values()];
  let fee = transaction.totalFees.coins;
  for (const { info } of out) if (info.type === 'internal') fee += info.forwardFee;
  expect(answer.fee).toBe(`${fee}`);
  expect('in_msg' in answer).toBe(Boolean(transaction.inMessage));
  const messages = transaction.inMessage ? [transaction.inMessage, ...out] : out;
  const answers = answer.in_msg ? [answer.in_msg, ...answer.out_msgs] : answer.out_msgs;
  expect(answers).toHaveLength(messages.length);
  for (const [index, { info, body, init }] of messages.entries()) {
    const found = answers[index]!;
    kinds.add(info.type).add(found.msg_data['@type']);
    if (init) kinds.add('init');
    const { src, dest } = info;
    const text = (address: unknown) =>
      address && typeof address === 'object' && 'workChain' in address ? `${address}` : '';
    expect(found.source.account_address).toBe(text(src));
    expect(found.destination.account_address).toBe(text(dest));
    expect(found.body_hash).toBe(body.hash().toString('base64'));
    const internal = info.type === 'internal' ? info : null;
    expect([found.value, found.fwd_fee]).toEqual([
      `${internal?.value.coins ?? 0n}`,
      `${internal?.forwardFee ?? 0n}`,
    ]);
    expect(found.created_lt).toBe(`${info.type === 'external-in' ? 0n : info.createdLt}`);
    if (found.msg_data.body) {
      expect(Cell.fromBase64(found.msg_data.body).hash().equals(body.hash())).toBe(true);
      expect(Boolean(found.msg_data.init_state)).toBe(Boolean(init));
    }
  }
}
