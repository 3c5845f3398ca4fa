import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FetchOptions, guardedFetch } from '../../../../src/platform/fetch/guarded-fetch.ts';
import { isPublicAddress } from '../../../../src/platform/fetch/public-address.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1000, maxRedirects: 3 };

describe('public addresses', () => {
  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'localhost',
    '',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '172.32.0.1', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('guarded fetch', () => {
  const server = createServer((request, response) => respond(request, response));
  const asked: string[] = [];
  let port: number;
  let here: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    here = `http://tokens.test:${port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function respond({ url = '', headers }: IncomingMessage, response: ServerResponse) {
    asked.push(`${headers.host} ${url}`);
    const to = new URLSearchParams(url.split('?')[1]).get('to');
    if (to !== null) response.writeHead(302, { location: to }).end();
    else if (url === '/ok') response.end('{"name":"A"}');
    else if (url === '/large') response.end('x'.repeat(1001));
    else if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (url === '/never') response.write('{');
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else response.writeHead(404).end();
  }

  /** The server represents the public internet under one name; the test defines all others. */
  const names: Record<string, string> = { 'tokens.test': '127.0.0.1', 'private.test': '10.0.0.1' };
  const options: FetchOptions = {
    resolve: async (host) => {
      const address = names[host];
      if (!address) throw new Error(`ENOTFOUND ${host}`);
      return [{ address, family: 4 }];
    },
    isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
  };
  const reasonOf = async (link: string, limits = LIMITS, more: FetchOptions = options) => {
    const failed = guardedFetch(link, limits, more).then(
      () => 'fetched',
      (error: { reason: string }) => error.reason,
    );
    return failed;
  };

  it('fetches a document, also after redirects', async () => {
    const text = async (link: string) => new TextDecoder().decode(await guardedFetch(link, LIMITS, options));
    expect(await text(`${here}/ok`)).toBe('{"name":"A"}');
    expect(await text(`${here}/x?to=/ok`)).toBe('{"name":"A"}');
    expect(await text(`${here}/x?to=${encodeURIComponent(`${here}/ok`)}`)).toBe('{"name":"A"}');
  });

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://tokens.test/ok', 'scheme'],
    ['http://user:word@tokens.test/ok', 'scheme'],
    ['no link', 'scheme'],
    ['http://private.test/', 'address'],
    ['http://10.0.0.1/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://[::ffff:10.0.0.1]/', 'address'],
    ['http://0x0a.1/', 'address'],
    ['http://nowhere.test/', 'network'],
  ])('%s is not asked: %s', async (link, reason) => {
    const before = asked.length;
    expect(await reasonOf(link)).toBe(reason);
    expect(asked.length).toBe(before);
  });

  it.each([
    ['/nothing', 'status'],
    ['/large', 'size'],
    ['/packed', 'encoding'],
    ['/loop', 'redirect'],
    ['/x?to=http://private.test/', 'address'],
    ['/x?to=http://169.254.169.254/latest', 'address'],
    ['/x?to=file:///etc/passwd', 'scheme'],
  ])('%s fails: %s', async (path, reason) => {
    expect(await reasonOf(`${here}${path}`)).toBe(reason);
  });

  it('a document that never ends', async () => {
    expect(await reasonOf(`${here}/never`, { ...LIMITS, timeoutMs: 300 })).toBe('timeout');
  });

  it('a name that resolves differently the second time: the connection is made to the checked address', async () => {
    let lookUps = 0;
    const rebinding: FetchOptions = {
      ...options,
      resolve: async () => [{ address: lookUps++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
    };
    expect(await reasonOf(`http://rebind.test:${port}/ok`, LIMITS, rebinding)).toBe('fetched');
    expect(lookUps).toBe(1);
    expect(await reasonOf(`http://rebind.test:${port}/x?to=/ok`, LIMITS, rebinding)).toBe('address');
  });

  it('a name with a public and a private address is refused', async () => {
    const both: FetchOptions = {
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    };
    expect(await reasonOf('http://both.test/', LIMITS, both)).toBe('address');
  });

  it("the operator's gateway may be anywhere, but what it redirects to may not", async () => {
    const trusting: FetchOptions = { trustedOrigin: `http://127.0.0.1:${port}` };
    expect(await reasonOf(`http://127.0.0.1:${port}/ok`, LIMITS, trusting)).toBe('fetched');
    expect(await reasonOf(`http://127.0.0.1:${port}/ok`, LIMITS, {})).toBe('address');
    expect(await reasonOf(`http://127.0.0.1:${port}/x?to=http://127.0.0.1:1/`, LIMITS, trusting)).toBe(
      'address',
    );
  });

  it("the operator's gateway redirects to no other path, port or host of a private network", async () => {
    const gateway = `http://127.0.0.1:${port}`;
    const trusting: FetchOptions = { trustedOrigin: gateway, trustedPath: '/ipfs/' };
    const redirect = (to: string) =>
      reasonOf(`${gateway}/ipfs/a?to=${encodeURIComponent(to)}`, LIMITS, trusting);
    expect(await redirect('/ipfs/b')).toBe('status');
    for (const to of [
      '/ok',
      '/ipfs/../ok',
      '/ipfs/%2e%2e/ok',
      '/ipfs/%2e%2e%2fok',
      '/ipfs/..%2fok',
      '/ipfs/..%5cok',
      '/ipfs/..%252fok',
      '/ipfs',
      '/ipfsx/ok',
      `http://localhost:${port}/ipfs/b`,
      `http://127.0.0.1:1/ipfs/b`,
      `http://0177.0.0.1:${port}/ok`,
      '//10.0.0.1/ipfs/b',
    ])
      expect(await redirect(to), to).toBe('address');
    expect(await redirect('file:///etc/passwd')).toBe('scheme');
  });
});
