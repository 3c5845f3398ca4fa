import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServeContext } from '../../../../src/api/serve-context.ts';
import { METHODS_BY_NAME } from '../../../../src/api/v2/methods/methods.ts';
import type { VisibleRange } from '../../../../src/api/version-vector.ts';
import { createStoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { registerV2 } from '../../../helpers/register-v2.ts';
import { DEFAULT_SERVE_SETTINGS } from '../../../helpers/serve-settings.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const NON_BOUNCEABLE = 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI';

const logged: object[] = [];
let app: FastifyInstance;

/** A store without a listener: requests fail as with the store away. */
function contextWithout(visible: VisibleRange | null): ServeContext {
  return {
    client: createStoreClient({ url: 'http://127.0.0.1:1' }),
    vector: () => baseVector('none_test', visible),
    network: { label: 'test', testnet: false, zerostate: null, isolated: false },
    settings: DEFAULT_SERVE_SETTINGS,
    log: { info: () => {}, warn: () => {}, error: (facts) => logged.push(facts) },
    health: async () => ({ deadLetters: 0 }),
  };
}

async function appWith(visible: VisibleRange | null): Promise<FastifyInstance> {
  const made = Fastify();
  await registerV2(made, contextWithout(visible));
  await made.ready();
  return made;
}

beforeAll(async () => {
  app = await appWith(null);
});
afterAll(() => app.close());

const get = (path: string) => app.inject({ url: `/api/v2/${path}` });
const post = (path: string, payload: string) =>
  app.inject({
    method: 'POST',
    url: `/api/v2/${path}`,
    payload,
    headers: { 'content-type': 'application/json' },
  });

describe('three ways to one method', () => {
  it('GET', async () => {
    const reply = await get(`packAddress?address=${RAW}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['x-api-version']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(reply.json()).toEqual({
      ok: true,
      result: FRIENDLY,
      '@extra': expect.stringMatching(/^\d+\.\d+:0:/),
    });
  });

  it('POST', async () => {
    const reply = await post('packAddress', JSON.stringify({ address: RAW, unknown: 1 }));
    expect(reply.json()).toMatchObject({ ok: true, result: FRIENDLY });
  });

  it('POST with a query, which decides, and GET with a body, which does not', async () => {
    const other = JSON.stringify({ address: RAW.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
    for (const body of ['', '{}', other])
      expect((await post(`packAddress?address=${RAW}`, body)).json(), body).toMatchObject({
        result: FRIENDLY,
      });
    const url = `/api/v2/packAddress?address=${RAW}`;
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'GET', url, payload: other, headers });
    expect(reply.json()).toMatchObject({ result: FRIENDLY });
  });

  it('POST without a content type', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/v2/packAddress',
      payload: `{"address":"${RAW}"}`,
    });
    expect(reply.json()).toMatchObject({ ok: true, result: FRIENDLY });
  });

  it('JSON-RPC', async () => {
    const request = { id: 1, jsonrpc: '2.0', method: 'packAddress', params: { address: RAW } };
    expect((await post('jsonRPC', JSON.stringify(request))).json()).toEqual({
      ok: true,
      result: FRIENDLY,
      '@extra': expect.any(String),
      jsonrpc: '2.0',
      id: '1',
    });
  });

  it.each(['', '/', '/v2/jsonRPC', '/jsonRpc'])(
    'JSON-RPC at /api/v2%s, as some clients are configured',
    async (path) => {
      const ask = (payload: string) => app.inject({ method: 'POST', url: `/api/v2${path}`, payload });
      const request = { id: 1, jsonrpc: '2.0', method: 'packAddress', params: { address: RAW } };
      expect((await ask(JSON.stringify(request))).json()).toMatchObject({
        ok: true,
        result: FRIENDLY,
        id: '1',
      });
      expect((await ask('{')).json()).toMatchObject({ ok: false, code: 422, jsonrpc: '2.0', id: '' });
    },
  );

  it.each(['shards', 'getShards', 'tryLocateTx', 'tryLocateResultTx'])('knows the name %s', async (name) => {
    expect((await get(name)).statusCode).toBe(422);
    expect((await post(name, '{}')).statusCode).toBe(422);
    expect((await post('jsonRPC', JSON.stringify({ method: name }))).json().error).not.toBe('unknown method');
  });
});

describe('@extra', () => {
  it('is echoed from the query, the body, the parameters and next to them', async () => {
    expect((await get(`packAddress?address=${RAW}&%40extra=q1`)).json()['@extra']).toBe('q1');
    expect((await get('packAddress?@extra=q2')).json()).toMatchObject({ ok: false, '@extra': 'q2' });
    expect((await post('packAddress', '{"@extra":"b1"}')).json()['@extra']).toBe('b1');
    expect((await post('packAddress?@extra=b2', '{')).json()['@extra']).toBe('b2');
    const inside = { method: 'packAddress', params: { address: RAW, '@extra': 'p1' } };
    expect((await post('jsonRPC', JSON.stringify(inside))).json()['@extra']).toBe('p1');
    const beside = { method: 'packAddress', params: [], '@extra': 7 };
    expect((await post('jsonRPC', JSON.stringify(beside))).json()['@extra']).toBe('7');
  });
});

describe('failures', () => {
  it.each([
    ['packAddress', 422, 'empty address'],
    ['packAddress?address=', 422, 'empty address'],
    ['packAddress?address=nonsense', 422, 'failed to parse address'],
    [`packAddress?address=${RAW}&address=${RAW}`, 422, 'failed to parse address'],
    ['getBlockHeader?shard=1&seqno=1', 422, 'workchain required'],
    ['getBlockHeader?workchain=0&seqno=1', 422, 'shard required'],
    ['getBlockHeader?workchain=0&shard=1', 422, 'seqno required'],
    ['getBlockHeader?workchain=0&shard=1&seqno=0', 422, 'seqno should be positive'],
    ['getBlockTransactionsExt?workchain=0&shard=1', 422, 'seqno required'],
    ['getBlockTransactions?workchain=0&shard=1&seqno=1&count=0', 422, 'count should be positive'],
    [
      'getBlockTransactions?workchain=0&shard=1&seqno=1&count=10001',
      422,
      'count should be less or equal 10000',
    ],
    [
      'getBlockTransactions?workchain=0&shard=1&seqno=1&after_lt=1',
      422,
      'after_lt and after_hash should be used together',
    ],
    ['lookupBlock?workchain=0&shard=1', 422, 'exactly one of seqno, lt, unixtime should be specified'],
    [
      'lookupBlock?workchain=0&shard=1&lt=1&seqno=1',
      422,
      'exactly one of seqno, lt, unixtime should be specified',
    ],
    ['lookupBlock?workchain=0&shard=1&unixtime=-1', 422, 'unixtime should be non-negative'],
    [`getTransactions?address=${RAW}&limit=1001`, 422, 'limit should be less or equal 1000'],
    [`getTransactions?address=${RAW}&lt=1`, 422, 'lt and hash should be used together'],
    [`getTransactions?address=${RAW}&hash=${'0'.repeat(64)}`, 422, 'lt and hash should be used together'],
    [`getTransactionsStd?address=${RAW}&lt=0`, 422, 'lt and hash should be used together'],
    [`getTransactions?address=${RAW}&archival=perhaps`, 422, 'failed to parse archival'],
    ['tryLocateTx', 422, 'empty source address'],
    [`tryLocateTx?source=${RAW}`, 422, 'empty destination address'],
    [`tryLocateTx?source=${RAW}&destination=${RAW}`, 422, 'created_lt required'],
    [`tryLocateTx?source=${RAW}&destination=${RAW}&created_lt=-1`, 422, 'created_lt should be non-negative'],
    ['getMasterchainInfo', 503, 'LITE_SERVER_NOTREADY: no blocks indexed yet'],
    ['nothing', 404, 'Not Found'],
    ['getMasterchaininfo', 404, 'Not Found'],
    ['jsonRPC', 405, 'unsupported http method: GET'],
  ])('%s', async (path, code, error) => {
    const reply = await get(path);
    expect(reply.statusCode).toBe(code);
    expect(reply.headers['x-api-version']).toBeDefined();
    const rpc = path === 'jsonRPC' ? { jsonrpc: '2.0', id: '' } : {};
    expect(reply.json()).toEqual({ ok: false, error, code, '@extra': expect.any(String), ...rpc });
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)('%s is no verb of v2', async (method) => {
    const reply = await app.inject({ method, url: '/api/v2/packAddress' });
    expect(reply.json()).toMatchObject({ code: 405, error: `unsupported http method: ${method}` });
  });

  it.each([
    ['{', 'the request is not JSON'],
    ['[]', 'the request must be an object'],
    ['null', 'method required'],
    ['{}', 'method required'],
    ['{"method":7}', 'failed to parse method'],
    ['{"method":"__proto__"}', 'unknown method'],
    ['{"method":"packAddress","params":[1]}', 'params must contain an object'],
    ['{"method":"packAddress","params":"x"}', 'params must contain an object'],
    ['{"method":"packAddress","params":[]}', 'empty address'],
    ['{"method":"packAddress","params":null}', 'empty address'],
    ['{"method":"packAddress"}', 'empty address'],
  ])('JSON-RPC %s', async (payload, error) => {
    const reply = await post('jsonRPC', payload);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toEqual({
      ok: false,
      error,
      code: 422,
      '@extra': expect.any(String),
      jsonrpc: '2.0',
      id: '',
    });
  });

  it('a body that is no object is refused on REST too', async () => {
    expect((await post('packAddress', '[1]')).json()).toMatchObject({ code: 422 });
    expect((await post('packAddress', 'nonsense')).json()).toMatchObject({ code: 422 });
  });

  it('a body beyond the limit is 413 in the same envelope', async () => {
    const reply = await post('jsonRPC', `{"method":"packAddress","pad":"${'x'.repeat(2_000_000)}"}`);
    expect(reply.json()).toMatchObject({ ok: false, code: 413, error: expect.any(String), id: '' });
  });

  it('a store that is away is 542, and the log has the cause', async () => {
    const away = await appWith({ first: 1, last: 9 });
    const reply = await away.inject({ url: '/api/v2/getMasterchainInfo' });
    expect(reply.json()).toMatchObject({ ok: false, code: 542, error: 'no workers available' });
    expect(logged).toHaveLength(1);
    await away.close();
  });
});

describe('address and hash forms', () => {
  it.each([
    [`packAddress?address=${NON_BOUNCEABLE}`, NON_BOUNCEABLE],
    [`packAddress?address=${RAW.toLowerCase()}`, FRIENDLY],
    [`unpackAddress?address=${FRIENDLY}`, RAW],
    [`unpackAddress?address=${RAW.toLowerCase()}`, RAW],
  ])('%s', async (path, result) => {
    expect((await get(path)).json().result).toBe(result);
  });

  it('detectAddress keeps the test flag', async () => {
    const testOnly = 'kQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqKYH';
    const { result } = (await get(`detectAddress?address=${testOnly}`)).json();
    expect(result).toMatchObject({
      '@type': 'ext.utils.detectedAddress',
      raw_form: RAW.toLowerCase(),
      given_type: 'friendly_bounceable',
      test_only: true,
      bounceable: { '@type': 'ext.utils.detectedAddressVariant', b64url: testOnly },
    });
  });

  it.each([
    [RAW, 'raw_form'],
    [FRIENDLY, 'friendly_bounceable'],
    [NON_BOUNCEABLE, 'friendly_non_bounceable'],
  ])('detectAddress of %s', async (address, given_type) => {
    const { result } = (await get(`detectAddress?address=${address}`)).json();
    expect(result).toMatchObject({ given_type, test_only: false });
    expect([result.bounceable.b64url, result.non_bounceable.b64url]).toEqual([FRIENDLY, NON_BOUNCEABLE]);
    expect(result.bounceable.b64).toHaveLength(48);
  });

  it('a workchain without a friendly form is refused if one is requested', async () => {
    const far = `1000:${RAW.slice(2)}`;
    expect((await get(`packAddress?address=${far}`)).statusCode).toBe(422);
    expect((await get(`unpackAddress?address=${far}`)).json().result).toBe(far);
  });

  it('detectHash', async () => {
    const { result } = (await get('detectHash?hash=CPUE4WXeEJT%2BDwz1fY/rkreWvYnsOt3I44i1G5ojJPM=')).json();
    expect(result).toEqual({
      '@type': 'ext.utils.detectedHash',
      b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
      b64url: 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM',
      hex: '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3',
    });
  });
});

describe('OpenAPI', () => {
  it('has POST of every name, and GET of those that do not act, with the parameters of the table', async () => {
    const { paths } = (await get('openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    for (const [name, { parameters, postOnly }] of METHODS_BY_NAME) {
      const { get: read, post: write } = paths[`/api/v2/${name}`]!;
      expect(write?.responses).toHaveProperty('200');
      expect(read === undefined).toBe(postOnly);
      if (postOnly) continue;
      expect((read?.parameters ?? []).map((parameter) => parameter.name)).toEqual(Object.keys(parameters));
      const needed = (read?.parameters ?? [])
        .filter((parameter) => parameter.required)
        .map(({ name }) => name);
      expect(needed).toEqual(Object.keys(parameters).filter((name) => parameters[name]?.required));
    }
    expect(Object.keys(paths['/api/v2/jsonRPC']!)).toEqual(['post']);
  });
});

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly responses: object;
}
