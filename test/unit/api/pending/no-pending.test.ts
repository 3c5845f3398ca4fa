/** Answers of the pending endpoints if nothing is pending, or it cannot be known. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '../../../../src/api/chain-port.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { createStoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { DEFAULT_SERVE_SETTINGS } from '../../../helpers/serve-settings.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const ACCOUNT = `0:${'1'.repeat(64)}`;
const HASH = 'A'.repeat(64);

const without: ChainPort = {
  runner: {
    runGetMethod: () => Promise.reject(new Error('nothing is to be run')),
    tryTransaction: () => Promise.reject(new Error('nothing is to be run')),
  },
  outlet: null,
  states: null,
};
const idle: ChainPort = { ...without, pending: { traces: async () => ({ externals: [], blocks: [] }) } };
const visible = { first: 1, last: 5 };

const cases: [string, ChainPort | undefined][] = [
  ['a server that only answers from the store', undefined],
  ['a source without a mempool', without],
  ['a source of which nothing waits', idle],
];

describe.each(cases)('%s', (_name, chain) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildServer({
      // Nothing answers there: these answers need no store.
      client: createStoreClient({ url: 'http://127.0.0.1:1' }),
      vector: () => baseVector('none_test', visible),
      network: { label: 'test', testnet: false, zerostate: null, isolated: false },
      settings: DEFAULT_SERVE_SETTINGS,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      chain,
      health: async () => ({ deadLetters: 0 }),
    });
  });
  afterAll(() => app.close());

  const error = (code: number, text: string) => [code, { code, error: text }];

  it.each([
    [`pendingTransactions?account=${ACCOUNT}`, error(404, 'emulated traces not found')],
    [`pendingTransactions?trace_id=${HASH}`, error(404, 'emulated traces not found')],
    ['pendingTransactions', error(422, 'at least 1 account address required')],
    ['pendingTransactions?account=', error(422, 'at least 1 account address required')],
    [`pendingActions?account=${ACCOUNT}`, [200, { actions: [], address_book: {}, metadata: {} }]],
    [`pendingActions?ext_msg_hash=${HASH}`, [200, { actions: [], address_book: {}, metadata: {} }]],
    ['pendingActions', error(422, 'account or ext_msg_hash should be specified')],
    [`pendingTraces?account=${ACCOUNT}`, [200, { traces: [], address_book: {}, metadata: {} }]],
    [`pendingTraces?ext_msg_hash=${HASH},${HASH}`, [200, { traces: [], address_book: {}, metadata: {} }]],
    ['pendingTraces', error(422, 'account or ext_msg_hash should be specified')],
    [
      'pendingTraces?ext_msg_hash=abc',
      error(422, 'failed to decode: schema: error converting value for index 0 of "ext_msg_hash"'),
    ],
    [
      'pendingTraces?account=abc',
      error(422, 'failed to decode: schema: error converting value for "account"'),
    ],
  ])('%s', async (path, answer) => {
    const reply = await app.inject({ url: `/api/v3/${path}` });
    expect([reply.statusCode, reply.json()]).toEqual(answer);
  });
});
