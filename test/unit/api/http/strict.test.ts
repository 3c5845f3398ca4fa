import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/* Unknown parameters of an endpoint: listed in a header, refused in strict mode (v3-rules.md 12). */

const HASH = 'a'.repeat(64);
const IGNORED = 'x-tonhouse-ignored-parameters';
const JSON_TYPE = { 'content-type': 'application/json' };

let app: FastifyInstance;
let strictApp: FastifyInstance;
beforeAll(async () => {
  app = await buildServer(storelessContext());
  strictApp = await buildServer(storelessContext({ strict: true }));
});
afterAll(() => Promise.all([app.close(), strictApp.close()]));

const get = (url: string, headers = {}) => app.inject({ url: `/api/${url}`, headers });
const post = (url: string, payload: object) =>
  app.inject({ method: 'POST', url: `/api/${url}`, payload, headers: JSON_TYPE });

describe('an unknown parameter', () => {
  it.each([
    [`v2/detectHash?hash=${HASH}&hsah=1&Limit=2`, 'hsah, Limit'],
    ['v3/transactions?sort_order=asc&LIMIT=1&hash[]=x', 'sort_order'],
    ['v3/blocks?%D0%B6=1&a,b=2', '%D0%B6, a%2Cb'],
    ['v3/blocks?%00=1', '%00'],
  ])('of %s is named in a header', async (url, names) => {
    expect((await get(url)).headers[IGNORED]).toBe(names);
  });

  it.each([
    `v2/detectHash?hash=${HASH}&api_key=x&@extra=7`,
    'v3/blocks?api_key=x&X_No_Metadata=1&x_timeout=5&workchain=0&strict=0',
    'v3/messages?hash=',
  ])('is not among those of %s', async (url) => {
    expect((await get(url)).headers).not.toHaveProperty(IGNORED);
  });

  it('in a body is named as well', async () => {
    const call = { method: 'detectHash', params: { hash: HASH, more: 1 } };
    expect((await post('v2/jsonRPC', call)).headers[IGNORED]).toBe('more');
    expect((await post('v2/detectHash', call.params)).headers[IGNORED]).toBe('more');
    expect((await post('v3/message', { boc: '', bock: 1 })).headers[IGNORED]).toBe('bock');
  });
});

describe('strict mode', () => {
  it.each([
    ['account', 'v3/accountStates?account=x', 'address'],
    ['sort_order', 'v3/transactions?sort_order=asc', 'sort'],
    ['transaction_hash', 'v3/transactions?transaction_hash=x', 'hash'],
    ['message_hash', 'v3/messages?message_hash=x', 'msg_hash'],
    ['adress', 'v3/addressInformation?adress=x', 'address'],
    ['limt', 'v3/blocks?limt=x', 'limit'],
  ])('names the right name of %s', async (wrong, url, right) => {
    const reply = await get(`${url}&strict=1`);
    expect([reply.statusCode, reply.json()]).toEqual([
      422,
      { code: 422, error: `unknown parameter "${wrong}", did you mean "${right}"?` },
    ]);
  });

  it('is asked for by header, parameter or setting; the parameter wins', async () => {
    const url = `v2/detectHash?hash=${HASH}&zzzzzz=1`;
    const strict = { 'X-Tonhouse-Strict': '1' };
    expect((await get(url)).statusCode).toBe(200);
    expect((await get(url, strict)).json()).toMatchObject({
      ok: false,
      code: 422,
      error: 'unknown parameter "zzzzzz"',
    });
    expect((await get(`${url}&strict=0`, strict)).statusCode).toBe(200);
    expect((await strictApp.inject(`/api/${url}`)).statusCode).toBe(422);
    expect((await strictApp.inject(`/api/${url}&strict=0`)).statusCode).toBe(200);
    const call = { method: 'detectHash', params: { hash: HASH, more: 1, strict: 1 } };
    expect((await post('v2/jsonRPC', call)).statusCode).toBe(422);
    expect((await post('v3/message?strict=1', { boc: '', bock: 1 })).json()).toEqual({
      code: 422,
      error: 'unknown parameter "bock", did you mean "boc"?',
    });
  });

  it('takes any header X-Actions-Version', async () => {
    expect((await get('v3/blocks?strict=1', { 'X-Actions-Version': 'v999' })).statusCode).toBe(503);
  });
});
