import { gzipSync } from 'node:zlib';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverWithoutIndex } from '../../../../scripts/layout/server-without-index.ts';
import { addPage } from '../../../../src/api/http/page.ts';

/** What Chromium sends. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
/** Most bytes of the first page, compressed. */
const MAX_BYTES = 150_000;

describe('the page at /', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await serverWithoutIndex();
  });
  afterAll(() => app.close());
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers });

  it('is for clients that ask for HTML', async () => {
    const page = await get('/', { accept: BROWSER });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.vary).toContain('Accept');
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/plain, */*'])(
    'other clients are redirected as before: %s',
    async (accept) => {
      const reply = await get('/', accept === undefined ? {} : { accept });
      expect([reply.statusCode, reply.headers.location]).toEqual([301, '/api/v3/index.html']);
      expect(reply.headers.vary).toContain('Accept');
    },
  );

  it('allows no script, style or request of others, no inline script, and no HTML from a script', async () => {
    const policy = String((await get('/', { accept: BROWSER })).headers['content-security-policy']);
    const rules = Object.fromEntries(policy.split('; ').map((rule) => rule.split(/ (.*)/).slice(0, 2)));
    expect(rules).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
  });

  it('allows images of the image proxy, and of no other path or host', async () => {
    const own = fastify();
    addPage(own, 'https://img.example:8443/a;b,c/');
    const { headers } = await own.inject({ url: '/', headers: { accept: BROWSER } });
    const rules = String(headers['content-security-policy']).split('; ');
    expect(rules).toHaveLength(10);
    expect(rules).toContain("img-src 'self' https://img.example:8443/a%3Bb%2Cc/");
    expect(rules.filter((rule) => rule.includes('img.example'))).toHaveLength(1);
  });

  it('has only files of this server, and is small', async () => {
    const page = await get('/', { accept: BROWSER });
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
    expect(files.every((file) => file.startsWith('/'))).toBe(true);
    expect(page.body).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
    const own = files.filter((file) => file.startsWith('/web/'));
    expect(own).toHaveLength(3);
    const replies = await Promise.all(own.map((file) => get(file)));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const bytes = [page, ...replies].reduce((sum, { rawPayload }) => sum + gzipSync(rawPayload).length, 0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  it('is not sent again to a browser that has it', async () => {
    const tag = String((await get('/web/page.js')).headers.etag);
    const again = await get('/web/page.js', { 'if-none-match': tag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('has the licences of what it contains', async () => {
    expect((await get('/web/licences.txt')).body).toMatch(/preact.+MIT.+uplot.+MIT/is);
  });
});
