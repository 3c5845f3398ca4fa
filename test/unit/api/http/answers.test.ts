import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEncoding } from '../../../../src/api/http/compress-answers.ts';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { type ApiOfStore, openApi } from '../../../helpers/api-of-store.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/* Headers of an answer: its encoding, its validators, its id in the log. */

describeWithData('answers of a store', (data) => {
  let api: ApiOfStore;
  beforeAll(async () => {
    api = await openApi({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      only: ['-1_8000000000000000_1.boc', '-1_8000000000000000_2.boc', '-1_8000000000000000_3.boc'],
    });
  });
  afterAll(() => api.close());

  const get = (url: string, headers = {}) => api.app.inject({ url, headers });
  const LONG = '/api/v3/transactions?limit=50';

  it.each([
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
    ['zstd', (bytes: Buffer) => zstdDecompressSync(bytes)],
  ])('are sent in %s, and mean the same', async (encoding, open) => {
    const plain = await get(LONG);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const packed = await get(LONG, { 'accept-encoding': `br, ${encoding};q=0.5` });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
    expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect(open(packed.rawPayload).toString()).toBe(plain.body);
    expect(String(packed.headers.vary)).toMatch(/Accept-Encoding/);
  });

  it('of v2 are packed too, and short ones are not', async () => {
    const v2 = await get('/api/v2/getBlockTransactionsExt?workchain=-1&shard=-9223372036854775808&seqno=2', {
      'accept-encoding': 'gzip',
    });
    expect(JSON.parse(gunzipSync(v2.rawPayload).toString())).toMatchObject({ ok: true });
    const short = await get('/api/v3/masterchainBlockShards?seqno=99', { 'accept-encoding': 'gzip' });
    expect(short.headers).not.toHaveProperty('content-encoding');
  });

  it('that a client has are 304 in every encoding', async () => {
    const { headers } = await get(LONG);
    const etag = String(headers.etag);
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const reply = await get(LONG, { 'if-none-match': known, 'accept-encoding': 'gzip' });
      expect([reply.statusCode, reply.body, reply.headers.etag]).toEqual([304, '', etag]);
      expect(reply.headers.vary).toBe(headers.vary);
    }
    expect((await get(LONG, { 'if-none-match': 'W/"other"' })).statusCode).toBe(200);
    expect((await get(`${LONG}&sort=asc`, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  it('of finished history may be cached, others are revalidated, and failures have no header', async () => {
    const caching = async (url: string) => (await get(`/api/v3/${url}`)).headers['cache-control'];
    const finished = 'public, max-age=60';
    expect(await caching('transactionsByMasterchainBlock?seqno=2')).toBe(finished);
    expect(await caching('masterchainBlockShardState?seqno=2')).toBe(finished);
    expect(await caching('blocks?mc_seqno=2')).toBe(finished);
    expect(await caching('blocks?mc_seqno=99')).toBe('no-cache');
    expect(await caching('transactions')).toBe('no-cache');
    expect(await caching('transactions?limit=5000')).toBe(undefined);
  });

  it('of v2 have a tag that the time of the request does not change, and those about one block may be kept', async () => {
    const block = 'workchain=-1&shard=-9223372036854775808&seqno=2';
    const paths = ['getBlockHeader', 'getBlockTransactions', 'getBlockTransactionsExt'];
    for (const path of [...paths.map((name) => `${name}?${block}`), 'shards?seqno=2', 'getShards?seqno=2']) {
      const url = `/api/v2/${path}`;
      const { headers, json } = await get(url);
      expect([path, json().ok, headers['cache-control']]).toEqual([path, true, 'public, max-age=60']);
      const again = await get(url, { 'if-none-match': String(headers.etag) });
      expect([path, again.statusCode, again.body]).toEqual([path, 304, '']);
      expect((await get(`${url}&@extra=mine`)).headers.etag).toBe(headers.etag);
    }
    const head = await get('/api/v2/getMasterchainInfo');
    expect([head.statusCode, head.headers['cache-control']]).toEqual([200, 'no-cache']);
    const other = await get('/api/v2/shards?seqno=3', { 'if-none-match': String(head.headers.etag) });
    expect(other.statusCode).toBe(200);
    const missing = await get('/api/v2/shards?seqno=99');
    expect([missing.statusCode === 200, missing.headers.etag, missing.headers['cache-control']]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });
});

describe('the encoding that is taken', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['br, deflate', null],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, zstd;q=0', 'gzip'],
    ['*', 'zstd'],
    ['GZIP', 'gzip'],
    ['gzip;q=0, *;q=0', null],
    ['gzip;q=x', null],
  ])('of %j is %j', (accepted, encoding) => {
    expect(parseEncoding(accepted)).toBe(encoding);
  });
});

describe('the access log', () => {
  it('has a line for each request, under the id that its answer has', async () => {
    const lines: object[] = [];
    const context = storelessContext({ accessLog: true });
    const log = { ...context.log, info: (facts: object) => lines.push(facts) };
    const app = await buildServer({ ...context, log });
    const ask = (headers: Record<string, string>) =>
      app.inject({ url: '/api/v2/detectHash?hash=x&api_key=secret', headers, remoteAddress: '10.1.2.3' });
    const given = await ask({ 'x-request-id': 'abc-1' });
    const made = await ask({ 'x-request-id': 'no id\n' });
    expect(given.headers['x-request-id']).toBe('abc-1');
    expect(String(made.headers['x-request-id'])).toMatch(/^[\da-f-]{36}$/);
    await app.close();
    expect(lines).toMatchObject([
      { id: 'abc-1', client: '10.1.2.3', key: null, method: 'GET', status: 422 },
      { id: made.headers['x-request-id'] },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
