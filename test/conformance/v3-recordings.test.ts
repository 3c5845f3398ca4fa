import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MasterchainInfoAnswer } from '../../src/api/v3/schemas/block.ts';
import type { TransactionsAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type ApiOfStore, openApi } from '../helpers/api-of-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { addSample, differences, newShape, type Shape } from './shape.ts';

/*
 * Our answers have the keys, types and forms of answers recorded from the public server by published clients.
 * Differences are listed with the reason, and the list may name nothing that does not differ any more.
 */

/** Sources that recorded whole answers; the others edited values (see the data's README). */
const SOURCES = ['crosschain', 'gemwallet', 'walletkit', 'mytonwallet'];

const isMap = (path: string) => /(address_book|metadata|extra_currencies|transactions)$/.test(path);

/** Objects of a kind, wherever they are in a recording. */
function collect(value: unknown, is: (object: Record<string, unknown>) => boolean): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = !Array.isArray(value) && is(value as Record<string, unknown>) ? [value] : [];
  return [...here, ...Object.values(value).flatMap((inner) => collect(inner, is))];
}

const isTransaction = (object: Record<string, unknown>) => 'prev_trans_hash' in object && 'in_msg' in object;
const isBlock = (object: Record<string, unknown>) => 'gen_catchain_seqno' in object;

/** Decoded bodies are compared whole (decoded-bodies.test.ts): here only that there are some. */
function withoutDecoded(sample: unknown): unknown {
  const text = JSON.stringify(sample, (key, value) => (key === 'decoded' && value ? {} : value));
  return JSON.parse(text);
}

function shapeOf(samples: readonly unknown[]): Shape {
  const shape = newShape();
  for (const sample of samples) addSample(shape, withoutDecoded(sample), isMap);
  return shape;
}

/** Checks found differences against the known ones, by their text. */
function expectOnly(found: readonly string[], known: Readonly<Record<string, string>>): void {
  const unknown = found.filter((line) => !(line in known));
  const gone = Object.keys(known).filter((line) => !found.includes(line));
  expect({ unknown, gone }).toEqual({ unknown: [], gone: [] });
}

/** No recorded transaction has this shape of description, extra currency or message; the contract documents it. */
const RARE = 'v3-models.md documents it; no recording happens to have one';
const TRANSACTION_DIFFERENCES: Readonly<Record<string, string>> = {
  '.trace_id missing': 'absent while no traces are served, as here',
  '.finality new': 'these recordings are older than the field (v3-models.md 5)',
  '.description.compute_ph.type missing': 'a field of an older server, not in the contract',
  '.description.action.result_arg new': RARE,
  '.description.credit_ph.credit_extra_currencies new': RARE,
  '.description.credit_first not always there': 'only ordinary transactions were recorded',
  '.description.is_tock new': 'only ordinary transactions were recorded',
  '.in_msg is null': 'only ordinary transactions were recorded',
  '.description.bounce.msg_fees not always there': 'only bounces of type ok were recorded',
  '.description.bounce.fwd_fees not always there': 'only bounces of type ok were recorded',
  '.description.bounce.req_fwd_fees new': 'only bounces of type ok were recorded',
  '.in_msg.value_extra_currencies.* new': RARE,
  '.in_msg.extra_flags is string of digits': 'recorded before global version 12',
  '.account_state_before.extra_currencies.* new': RARE,
  '.account_state_after.extra_currencies.* new': RARE,
};
const BLOCK_DIFFERENCES: Readonly<Record<string, string>> = {};
const BOOK_DIFFERENCES: Readonly<Record<string, string>> = {};

describeWithData('answers of v3 compared with recorded ones', (data) => {
  const folder = join(data, 'api-recordings/toncenter-v3');
  const recordings = SOURCES.flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, source, name), 'utf8')) as unknown),
  );
  let api: ApiOfStore;
  let answers: TransactionsAnswer[];
  beforeAll(async () => {
    api = await openApi({
      folders: ['mainnet-genesis-0001', 'mainnet-single', 'mainnet-shard-56703836', 'private-b'].map(
        (name) => `${data}/blocks/${name}`,
      ),
      isolated: true,
    });
    answers = [];
    for (let offset = 0, page = 1000; page === 1000; offset += page) {
      const { json } = await api.get('/api/v3/transactions', { limit: 1000, offset });
      answers.push(json as TransactionsAnswer);
      page = (json as TransactionsAnswer).transactions.length;
    }
  });
  afterAll(() => api.close());

  it('transactions', () => {
    const recorded = recordings.flatMap((recording) => collect(recording, isTransaction));
    expect(recorded.length).toBeGreaterThan(100);
    const ours = answers.flatMap(({ transactions }) => transactions);
    expectOnly(differences(shapeOf(recorded), shapeOf(ours)), TRANSACTION_DIFFERENCES);
  });

  it('blocks', async () => {
    const recorded = recordings.flatMap((recording) => collect(recording, isBlock));
    const { json } = await api.get('/api/v3/masterchainInfo');
    const info = json as MasterchainInfoAnswer;
    expectOnly(differences(shapeOf(recorded), shapeOf([info.first, info.last])), BLOCK_DIFFERENCES);
  });

  it('address books', () => {
    const books = (values: readonly unknown[]) =>
      values
        .flatMap((value) => collect(value, (object) => 'address_book' in object))
        .flatMap((object) => Object.values((object as { address_book: object }).address_book));
    const recorded = books(recordings);
    expect(recorded.length).toBeGreaterThan(20);
    expectOnly(differences(shapeOf(recorded), shapeOf(books(answers))), BOOK_DIFFERENCES);
  });
});
