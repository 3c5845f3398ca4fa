import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { type ApiOfStore, openApi } from '../../../helpers/api-of-store.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

/* Bounds of what a request may hold: bodies by route, lists, addresses; and what logs hold of it. On a real store. */

const hash = (i: number) => createHash('sha256').update(`${i}`).digest('hex');
const hashes = (count: number) => Array.from({ length: count }, (_, i) => hash(i));
const accounts = (count: number) => hashes(count).map((one) => `0:${one}`);
const JSON_TYPE = { 'content-type': 'application/json' };

describeWithData('bounds of requests', (data) => {
  let api: ApiOfStore;
  beforeAll(async () => {
    api = await openApi({
      folders: [`${data}/blocks/mainnet-genesis-0001`],
      only: ['-1_8000000000000000_1.boc', '-1_8000000000000000_2.boc', '-1_8000000000000000_3.boc'],
    });
  });
  afterAll(() => api.close());

  const post = (url: string, payload: string) =>
    api.app.inject({ method: 'POST', url, payload, headers: JSON_TYPE });
  /** A JSON object of so many bytes. */
  const body = (bytes: number) => `{"method":"none","pad":"${'x'.repeat(bytes - 26)}"}`;

  describe('bodies', () => {
    const PLAIN = 16 * 1024;
    const CELLS = 256 * 1024;

    it.each([
      ['/api/v2/getTransactions', PLAIN],
      ['/api/v2/getLibraries', PLAIN],
      ['/api/v2/sendBoc', CELLS],
      ['/api/v2/sendBocReturnHash', CELLS],
      ['/api/v2/sendQuery', CELLS],
      ['/api/v2/runGetMethod', CELLS],
      ['/api/v2/runGetMethodStd', CELLS],
      ['/api/v2/estimateFee', CELLS],
      ['/api/v2/jsonRPC', CELLS],
    ])('%s of v2 takes %i bytes and answers 413 above', async (url, most) => {
      expect((await post(url, body(most))).statusCode).not.toBe(413);
      const reply = await post(url, body(most + 1));
      expect([reply.statusCode, reply.json()]).toEqual([
        413,
        {
          ok: false,
          code: 413,
          error: expect.any(String),
          '@extra': expect.any(String),
          ...(url.endsWith('jsonRPC') ? { jsonrpc: '2.0', id: '' } : {}),
        },
      ]);
    });

    it.each(['/message', '/estimateFee', '/runGetMethod'])('%s of v3 takes 256 KB', async (path) => {
      expect((await post(`/api/v3${path}`, body(CELLS))).statusCode).toBe(401);
      const reply = await post(`/api/v3${path}`, body(CELLS + 1));
      expect([reply.statusCode, reply.json()]).toEqual([413, { code: 413, error: expect.any(String) }]);
    });

    it('are bounded on unknown paths as well', async () => {
      expect((await post('/api/v3/nothing', body(PLAIN + 1))).statusCode).toBe(413);
    });
  });

  describe('lists', () => {
    it.each([
      ['transactions', 'hash', hashes(1000)],
      ['transactions', 'account', accounts(1000)],
      ['transactions', 'exclude_account', accounts(1000)],
      ['transactionsByMessage', 'msg_hash', hashes(1000)],
      ['messages', 'msg_hash', hashes(1000)],
      ['messages', 'hash', hashes(1000)],
      ['accountStates', 'address', accounts(1000)],
      ['addressBook', 'address', accounts(1024)],
      ['pendingTransactions', 'account', accounts(1000)],
      ['pendingTraces', 'ext_msg_hash', hashes(1000)],
    ])('%s?%s are answered at their bound, and refused with 422 above', async (path, name, list) => {
      const full = await api.get(`/api/v3/${path}`, { [name]: list });
      const none = path === 'pendingTransactions' ? 404 : 200;
      expect([full.status, full.status === none ? '' : full.text]).toEqual([none, '']);
      const error = `${name} list exceeds maximum length of ${list.length}`;
      const more = [...list, list[0] as string];
      for (const sent of [more, more.slice(0, -2).concat(`${more.at(-2)},${more.at(-1)}`)]) {
        if (path === 'addressBook' && sent !== more) continue;
        const reply = await api.get(`/api/v3/${path}`, { [name]: sent });
        expect([reply.status, reply.json]).toEqual([422, { code: 422, error }]);
      }
    });

    it('are answered together, several thousand values in one request', async () => {
      const reply = await api.get('/api/v3/transactions', {
        hash: hashes(1000),
        account: accounts(1000),
        exclude_account: accounts(1000),
        limit: 1000,
      });
      expect(reply.status).toBe(200);
      expect(api.store.logged).toEqual([]);
    });
  });

  describe('logs of failures', () => {
    it('contain 200 characters of the address, no API key, and no statement', async () => {
      const { client } = api.store.context;
      const failing = {
        ...client,
        queryBytes: ((sql, options) =>
          client.queryBytes(
            sql.replace('FORMAT', `${' '.repeat(2 ** 21)} FORMAT`),
            options,
          )) as typeof client.queryBytes,
      };
      const app = await buildServer({ ...api.store.context, client: failing });
      const secret = 'a-secret-key';
      const lists = hashes(900)
        .map((one) => `hash=${one}`)
        .join('&');
      for (const name of ['api_key', 'API_KEY', 'api%5Fkey', 'api_key[]']) {
        const url = `/api/v3/transactions?limit=7&${name}=${secret}&${lists}`;
        const reply = await app.inject({ url, headers: { 'x-api-key': secret } });
        expect(reply.statusCode).toBe(500);
      }
      await app.close();
      const logged = api.store.logged.splice(0);
      expect(logged.length).toBe(4);
      for (const line of logged) {
        expect(line).not.toContain(secret);
        expect(line).toContain('=***');
        expect(line.length).toBeLessThan(1_500);
      }
    });

    it('show no more of an unknown path in the answer either', async () => {
      const reply = await api.get(`/api/v3/${'x'.repeat(5_000)}`);
      expect(reply.status).toBe(404);
      expect(reply.text.length).toBeLessThan(300);
    });
  });
});
