import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

const ADDRESS = `0:${'0'.repeat(64)}`;

/** Lanes idle while no client needs their rows: a request activates only the lanes of its answer. */
describe('a request', async () => {
  const woken = new Set<string>();
  const freshen = async (reads: readonly string[]) => {
    for (const name of reads) woken.add(name);
  };
  const app = await buildServer({ ...storelessContext(), freshen });
  beforeEach(() => woken.clear());
  afterAll(() => app.close());

  const rpc = (method: string, params: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/v2/jsonRPC',
      payload: { jsonrpc: '2.0', id: 1, method, params },
    });

  it.each([
    ['/api/v3/blocks', ['base']],
    ['/api/v3/jetton/masters', ['contracts']],
    ['/api/v3/traces', ['traces']],
    ['/api/v2/getMasterchainInfo', ['base']],
  ])('of %s wakes what it is read from', async (url, names) => {
    await app.inject(url);
    expect([...woken]).toEqual(expect.arrayContaining(names));
    expect(woken.size).toBeLessThan(4);
  });

  it('by JSON-RPC activates the projections of its method, and none if it reads none', async () => {
    await rpc('getMasterchainInfo');
    expect([...woken]).toEqual(['base']);
    woken.clear();
    for (const method of ['detectAddress', 'noSuchMethod']) await rpc(method, { address: ADDRESS });
    expect([...woken]).toEqual([]);
  });

  it.each([
    '/api/v3/actions?limit=many',
    '/api/v3/actions?action_type=%25',
    '/api/v3/actions?fields=NaN',
    '/api/v3/actions?limit=1001',
    '/api/v3/events?trace_id=AA&tx_hash=AA',
    `/api/v3/traces?account=${ADDRESS}&tx_hash=${'A'.repeat(43)}=`,
    '/api/v3/jetton/wallets?sort=upwards',
    '/api/v3/nft/items?index=1',
    '/api/v3/metadata',
    '/api/v3/vesting',
    '/api/v3/accountActivity?mc_seqno=0x10',
    '/api/v3/accountActivity?x_timeout=Infinity',
    '/api/v3/blocks?strict=1&unknown=1',
    '/api/v2/getTransactions?address=nobody',
    '/api/v2/lookupBlock?workchain=0',
  ])('that is refused, %s, wakes nothing', async (url) => {
    const { statusCode } = await app.inject(url);
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
    expect([...woken]).toEqual([]);
  });

  it('that is refused activates nothing as POST either', async () => {
    const headers = { 'content-type': 'application/json' };
    const post = (url: string) => app.inject({ method: 'POST', url, payload: 'no JSON', headers });
    const replies = [
      await rpc('getTransactions', { address: 'nobody' }),
      await post('/api/v3/runGetMethod'),
      await post('/api/emulate/v1/emulateTrace'),
    ];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([422, 422, 400]);
    expect([...woken]).toEqual([]);
  });

  it.each(['/api/v3/nothing', '/api/v2/nothing', '/api/nothing', '/api/v3/index.html', '/healthz'])(
    'of %s wakes nothing',
    async (url) => {
      await app.inject(url);
      expect([...woken]).toEqual([]);
    },
  );
});
