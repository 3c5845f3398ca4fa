import type { Attack } from '../attack.ts';

const PATHS = [
  '/../../../../etc/passwd',
  '/api/v3/../../../../etc/passwd',
  '/api/v3/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/api/v3/..%2f..%2f..%2fetc%2fpasswd',
  '/api/v3/..%5c..%5cpackage.json',
  '/api/v3/index.html/static/../../../../../package.json',
  '/api/v3/index.html/static/%2e%2e/%2e%2e/%2e%2e/package.json',
  '/api/v3/index.html/static/..%2f..%2f..%2f..%2fpackage.json',
  '/api/v3/index.html/static/%2fetc%2fpasswd',
  '/api/v2/index.html/static/....//....//package.json',
  '/api/v3//masterchainInfo',
  '/api/v3/masterchainInfo%00',
  '/api/v3/masterchainInfo/%00',
  '/api/v3/%ff%fe',
  '/api/v3/%',
  '/api/v3/%zz',
  '/api/v3/%e0%80%af',
  `/${'a/'.repeat(20_000)}`,
  `/api/v3/${'%41'.repeat(20_000)}`,
  '/api/v3/__proto__',
  '/api/v2/constructor',
  '/api/v2/__proto__?a=1',
  '/api/v2/toString',
  '/api/v3/masterchainInfo;jsessionid=1',
  '/api/v3/MASTERCHAININFO',
];
const SECRETS = /root:|"dependencies"|password/;

/** Paths that lead out of the API, or that decode to something else than they look like. */
export const oddPaths: Attack = {
  name: 'odd paths',
  holds: 'no file is answered, and nothing but 4xx for what is no path',
  async run({ server, send, raw, must }) {
    for (const path of PATHS) {
      const { status, text } = await send({ path });
      must(!SECRETS.test(text), `${path.slice(0, 60)} answered what looks like a file`);
      must(status !== 0, `${path.slice(0, 60)} was not answered`);
      await send({ path, method: 'POST', body: '{}' });
    }
    const raws = [
      '/api/v3/\xff\xfe',
      '/api/v3/a b',
      '/api/v3/\x01',
      '/api/v3/masterchainInfo#x',
      '\\api\\v3',
      '',
    ];
    for (const path of raws)
      await raw(`GET ${path} HTTP/1.1\r\nHost: ${server.host}:${server.port}\r\nConnection: close\r\n\r\n`);
  },
};
