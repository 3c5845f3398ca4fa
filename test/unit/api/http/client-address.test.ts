import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';

/* The client that a trusted proxy names in X-Forwarded-For, as the access log and the limits know it. */

const PROXY = '10.0.0.1';
const TRUSTED = ['10.0.0.0/8', '::ffff:192.0.2.1'];
const URL = `/api/v2/detectHash?hash=${'a'.repeat(64)}`;

const clients: unknown[] = [];
let app: FastifyInstance;

beforeAll(async () => {
  const info = (facts: { readonly client?: unknown }) => void clients.push(facts.client);
  const settings = { trustedProxy: TRUSTED, accessLog: true, keylessLimit: 1 };
  app = await buildServer({ ...storelessContext(settings), log: { info, warn: info, error: info } });
});
afterAll(() => app.close());

const ask = (forwarded: string | string[], from = PROXY) =>
  app.inject({ url: URL, headers: { 'x-forwarded-for': forwarded }, remoteAddress: from });

/** The client of a request as the access log names it. */
async function clientOf(forwarded: string | string[], from?: string): Promise<unknown> {
  await ask(forwarded, from);
  return clients.pop();
}

describe('the client behind a trusted proxy', () => {
  it.each([
    ['an address', '1.1.1.1', '1.1.1.1'],
    ['an address with a port', '1.1.1.1:50123', '1.1.1.1'],
    ['an address in brackets with a port', '[2001:db8::1]:443', '2001:db8::1'],
    ['an address in brackets', '[2001:db8::1]', '2001:db8::1'],
    ['an address in quotes', '"[2001:db8::1]:443"', '2001:db8::1'],
    ['another spelling of an IPv6 address', '2001:DB8:0:0::0001', '2001:db8::1'],
    ['an IPv4-mapped address', '::ffff:1.1.1.1', '1.1.1.1'],
    ['an IPv4-mapped address in hexadecimal', '[::FFFF:0101:0101]:80', '1.1.1.1'],
    ['an address with a zone', 'fe80::1%eth0', 'fe80::1'],
    ['an address with an encoded zone and a port', '[fe80::1%25eth7]:9', 'fe80::1'],
    ['empty elements', ' , 1.1.1.1:5 ,, ', '1.1.1.1'],
    ['several proxies', '1.1.1.1:5, 10.1.2.3:80, [::ffff:10.0.0.7]:80', '1.1.1.1'],
    ['a forged first hop', '6.6.6.6, 1.1.1.1:9', '1.1.1.1'],
    ['only proxies', '10.2.2.2, 10.1.1.1', '10.2.2.2'],
    ['two headers', ['6.6.6.6', '1.1.1.1:7'], '1.1.1.1'],
  ])('%s', async (_name, forwarded, client) => {
    expect(await clientOf(forwarded)).toBe(client);
  });

  it.each([
    'unknown',
    '_hidden',
    'a'.repeat(1_000),
    '1.1.1',
    '01.1.1.1',
    '1.1.1.1:http',
    '1.1.1.1:1:1',
    '1.1.1.1%1',
    '999.1.1.1',
    '[1.1.1.1',
    '[]:80',
    '::::',
    '-',
    '',
    ' , ,',
    '<script>',
    '1.1.1.1, unknown',
  ])('is the proxy itself if it sends %j', async (forwarded) => {
    expect(await clientOf(forwarded)).toBe(PROXY);
  });

  it('is the last proxy that was named if the hop before is not an address', async () => {
    expect(await clientOf('1.1.1.1, garbage, 10.7.7.7:80')).toBe('10.7.7.7');
  });

  it('is the connection if that is no trusted proxy', async () => {
    expect(await clientOf('1.1.1.1', '198.51.100.9')).toBe('198.51.100.9');
    expect(await clientOf('1.1.1.1', '::ffff:198.51.100.9')).toBe('198.51.100.9');
  });

  it('is read from a proxy whose own address is IPv4-mapped', async () => {
    expect(await clientOf('1.1.1.1:1', '::ffff:10.0.0.1')).toBe('1.1.1.1');
    expect(await clientOf('1.1.1.1:1', '192.0.2.1')).toBe('1.1.1.1');
  });
});

describe('the limit of a client behind a proxy', () => {
  const BURST = 40;
  const refused = async (forwardedOf: (at: number) => string) => {
    const replies = await Promise.all(Array.from({ length: BURST }, (_, at) => ask(forwardedOf(at))));
    return replies.filter(({ statusCode }) => statusCode === 429).length;
  };

  it.each<[string, (at: number) => string]>([
    ['ports', (at) => `1.1.1.1:${50_000 + at}`],
    ['ports of an IPv6 address', (at) => `[2001:db8::1]:${50_000 + at}`],
    ['zones', (at) => `fe80::1%eth${at}`],
    ['spellings', (at) => ['1.1.1.1', '::ffff:1.1.1.1', '[::ffff:101:101]:1', ' 1.1.1.1:2 '][at % 4]!],
    ['texts that are no address', (at) => `client-${at}`],
    ['forged hops', (at) => `1.2.3.${at}:4, unknown`],
  ])('is one for all %s', async (_name, forwardedOf) => {
    expect(await refused(forwardedOf)).toBeGreaterThan(0);
  });

  it('is one for each address', async () => {
    expect(await refused((at) => `9.9.9.${at}:80`)).toBe(0);
  });
});
