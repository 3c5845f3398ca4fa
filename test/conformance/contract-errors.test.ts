import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '../../src/api/chain-port.ts';
import { HttpError } from '../../src/api/http/errors/http-error.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { readSubscription, SOCKET_WORDS, SSE_WORDS } from '../../src/api/streaming/read-subscription.ts';
import { type EmptyIndex, openEmptyIndex } from '../helpers/empty-index.ts';
import {
  emulationErrors,
  errorPattern,
  isTold,
  namesIn,
  streamErrors,
  v2Errors,
  v3Errors,
} from './contract-errors.ts';
import { emulationFields, subscriptionFields } from './contract-more.ts';
import {
  A,
  EMULATION,
  EMULATION_NEVER,
  EMULATION_ON_CHAIN,
  EXTERNAL,
  type Request,
  SUBSCRIPTIONS,
  subscription,
  TOO_MANY_STREAMS,
  V2,
  V2_OF_SERVERS,
  V2_ON_CHAIN,
  V3,
  V3_INSIDE,
  V3_ON_CHAIN,
  V3_TAKEN,
  WRONG,
} from './contract-requests.ts';

/*
 * Every error that the contract names against a server whose index is empty: a request for each that is answered with
 * its status and its text. Errors that take accounts, a chain or another server: contract-served-errors.test.ts.
 */

/** Runs nothing: everything is refused before. */
const chain: ChainPort = {
  runner: {
    runGetMethod: () => Promise.reject(new Error('nothing is run')),
    tryTransaction: () => Promise.reject(new Error('nothing is run')),
  },
  outlet: { send: () => Promise.reject(new Error('nothing is sent')) },
  states: null,
};

describe('errors of the contract', () => {
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  let index: EmptyIndex;
  let app: FastifyInstance;
  beforeAll(async () => {
    index = await openEmptyIndex();
    app = await buildServer({ ...index.context, chain });
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await index?.close();
    console.log(`contract, errors: ${count} facts checked`);
  });

  async function ask(base: string, request: Request) {
    const [path, body] = typeof request === 'string' ? [request, null] : request;
    const url = `${base}/${path}`;
    const headers = { 'content-type': 'application/json' };
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await app.inject(body === null ? { url } : { method: 'POST', url, headers, payload });
    return {
      status: reply.statusCode,
      json: reply.json() as { code?: number; error?: string; ok?: boolean },
    };
  }
  const told = (request: Request) => JSON.stringify(request).slice(0, 120);
  const keyOf = ({ status, text }: { readonly status: number; readonly text: string }) => `${status} ${text}`;

  it('are all asked for, here or beside', () => {
    const keysOf = (...tables: readonly object[]) => tables.flatMap((table) => Object.keys(table)).toSorted();
    expect(keysOf(V3, V3_TAKEN, V3_ON_CHAIN)).toEqual(v3Errors().map(keyOf).toSorted());
    expect(keysOf(EMULATION, EMULATION_ON_CHAIN, EMULATION_NEVER)).toEqual(
      emulationErrors().map(keyOf).toSorted(),
    );
    const v2 = [...keysOf(V2, V2_ON_CHAIN), ...V2_OF_SERVERS];
    for (const { condition } of v2Errors())
      expect([condition, namesIn(v2, condition).length]).toEqual([condition, 1]);
    const streams = streamErrors().flatMap(({ sse }) => (sse === null || sse.endsWith('.md') ? [] : [sse]));
    expect([...keysOf(SUBSCRIPTIONS), TOO_MANY_STREAMS].toSorted()).toEqual(streams.toSorted());
  });

  it.each(Object.entries(V3))('of v3: %s', async (error, requests) => {
    const [status, text] = [Number(error.slice(0, 3)), error.slice(4)];
    for (const request of requests) {
      const answer = await ask('/api/v3', request);
      check(
        answer,
        { status, json: { code: status, error: expect.stringMatching(errorPattern(text)) } },
        told(request),
      );
    }
  });

  it('of v3 are no errors at the edge, nor where the contract advises so', async () => {
    for (const request of [...V3_INSIDE, ...Object.values(V3_TAKEN).flat()])
      check((await ask('/api/v3', request)).status, 200, told(request));
  });

  it.each(Object.entries(EMULATION))('of the emulation: %s', async (error, requests) => {
    const [status, text] = [Number(error.slice(0, 3)), error.slice(4)];
    for (const request of requests) {
      const answer = await ask('/api/emulate', request);
      const wanted = expect.stringMatching(errorPattern(`invalid request: ${text}`));
      check(answer, { status, json: expect.objectContaining({ error: wanted }) }, told(request));
    }
  });

  it('are those of fields of another type, in requests of the emulation', async () => {
    const fields = emulationFields().filter(({ model }) => model !== 'answer');
    expect(fields.length).toBeGreaterThan(13);
    const types = new Map(fields.flatMap(({ name, type }) => (type === null ? [] : [[name, type] as const])));
    const whole = { boc: EXTERNAL, from: A, messages: [{ address: A, amount: '1' }] };
    for (const { model, name, type } of fields)
      for (const value of WRONG[type ?? types.get(name)!]) {
        const answer = await ask('/api/emulate', [`v1/${model}`, { ...whole, [name]: value }]);
        const wanted = {
          status: 400,
          json: expect.objectContaining({ error: expect.stringMatching(/^invalid request: /) }),
        };
        check(answer, wanted, `${model} ${name}=${JSON.stringify(value)}`);
      }
  });

  it('are those of fields of another type, in subscriptions', () => {
    const rules = { words: SSE_WORDS, mostAddresses: 10, actionsVersion: null };
    const fields = subscriptionFields().filter(({ name }) => name !== 'id');
    expect(fields.map(({ name }) => name)).toContain('supported_action_types');
    for (const { name, type } of fields)
      for (const value of WRONG[type!]) {
        const body = { types: ['actions'], addresses: [A], [name]: value };
        const refused = expect.objectContaining({
          status: 400,
          message: expect.stringMatching(/^invalid subscription request: /),
        });
        count++;
        expect(() => readSubscription(body, rules), `${name}=${JSON.stringify(value)}`).toThrow(refused);
      }
    for (const min of ['pending', 'confirmed', 'finalized'])
      check(readSubscription({ ...subscription, min_finality: min }, rules).minFinality, min, min);
  });

  const rows = v2Errors().filter(({ condition }) => namesIn(Object.keys(V2), condition).length > 0);
  it.each(rows.map((row) => [row.condition, row] as const))(
    'of v2: %s',
    async (condition, { status, texts, isOpen }) => {
      const [name] = namesIn(Object.keys(V2), condition);
      const found = new Set<string>();
      for (const request of V2[name!]!) {
        const { status: got, json } = await ask('/api/v2', request);
        check([got, json.ok, json.code], [status, false, status], told(request));
        check('result' in json, false, `${told(request)}: no result`);
        const text = texts.find((one) => json.error === one) ?? texts.find((one) => isTold(one, json.error));
        const isFree = texts.length === 0 || isOpen;
        check([text !== undefined || isFree, json.error], [true, json.error], told(request));
        if (text !== undefined) found.add(text);
      }
      if (condition === 'parameter out of bounds') check(found.size, texts.length, 'every bound of the row');
    },
  );

  it('of subscriptions, in the words of either transport', () => {
    const words = new Map(streamErrors().map(({ sse, socket }) => [sse, socket]));
    for (const [text, bodies] of Object.entries(SUBSCRIPTIONS))
      for (const body of bodies)
        for (const [rules, wanted] of [
          [SSE_WORDS, text],
          [SOCKET_WORDS, words.get(text)!],
        ] as const) {
          let found: unknown = 'taken';
          try {
            readSubscription(body, { words: rules, mostAddresses: 1, actionsVersion: null });
          } catch (error) {
            if (!(error instanceof HttpError)) throw error;
            found = [error.status, error.message];
          }
          check(found, [400, expect.stringMatching(errorPattern(wanted))], JSON.stringify(body));
        }
    check(
      readSubscription(subscription, { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null }).addresses
        .size,
      1,
      'one address',
    );
  });
});
