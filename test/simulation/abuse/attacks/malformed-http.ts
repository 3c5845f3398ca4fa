import type { Attack } from '../attack.ts';

/** Bytes that are hardly HTTP, and requests that two readers would read differently. */
export const malformedHttp: Attack = {
  name: 'malformed HTTP',
  holds: 'each is refused, nothing behind a refused request is answered, no header can be added',
  async run({ server, raw, send, must, random }) {
    const host = `Host: ${server.host}:${server.port}\r\n`;
    const hidden = `GET /api/v3/masterchainInfo HTTP/1.1\r\n${host}\r\n`;
    for (const [kind, bytes] of Object.entries(smuggling(host, hidden))) {
      const { statuses, text } = await raw(bytes, 800);
      must(statuses.length <= 1 && !text.includes('"last"'), `${kind}: ${statuses.join(', ')}`);
      must((statuses[0] ?? 400) >= 400, `${kind} was answered with ${statuses[0]}`);
    }
    for (const bytes of odd(host)) await raw(bytes, 800);
    for (let i = 0; i < 20; i++) {
      const noise = Buffer.from(Array.from({ length: 1 + random.below(500) }, () => random.below(256)));
      await raw(noise, 300);
    }
    const injected = await send({ path: '/api/v3/x%0d%0aX-Injected:%201?a=%0d%0aX-Injected:%201' });
    must(injected.headers['x-injected'] === undefined, 'a header was injected');
    const pipelined = await raw(hidden.repeat(500), 4_000);
    must(
      pipelined.statuses.every((status) => status === 200 || status === 503),
      'pipelined requests were refused',
    );
  },
};

function smuggling(host: string, hidden: string): Record<string, string> {
  const post = `POST /api/v3/runGetMethod HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
  const chunked = 'Transfer-Encoding: chunked\r\n';
  return {
    'length and chunks': `${post}Content-Length: 4\r\n${chunked}\r\n0\r\n\r\n${hidden}`,
    'chunks and length': `${post}${chunked}Content-Length: 4\r\n\r\n0\r\n\r\n${hidden}`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: ${hidden.length + 2}\r\n\r\n{}${hidden}`,
    'a negative length': `${post}Content-Length: -1\r\n\r\n${hidden}`,
    'a length with a sign': `${post}Content-Length: +2\r\n\r\n{}${hidden}`,
    'another coding': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    'a coding with a tab': `${post}Transfer-Encoding:\x0bchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
    'a blank before the colon': `${post}Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${hidden}`,
    'a chunk size that is none': `${post}${chunked}\r\nzz\r\n${hidden}`,
    'a chunk size without end': `${post}${chunked}\r\n${'f'.repeat(40)}\r\n${hidden}`,
    'a bare line feed in a head': `${post.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${hidden}`,
    'a folded header': `${post}X-Folded: a\r\n\tb: c\r\n \r\nContent-Length: 0\r\n\r\n`,
    'a NUL in a header': `${post}X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n`,
    'two hosts': `GET /api/v3/masterchainInfo HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`,
    'no host': 'GET /api/v3/masterchainInfo HTTP/1.1\r\n\r\n',
  };
}

function odd(host: string): string[] {
  const line = (method: string, target = '/api/v3/masterchainInfo', version = 'HTTP/1.1') =>
    `${method} ${target} ${version}\r\n${host}\r\n`;
  const header = (text: string) => `GET /api/v3/masterchainInfo HTTP/1.1\r\n${host}${text}\r\n\r\n`;
  return [
    ...['TRACE', 'CONNECT', 'PROPFIND', 'get', 'G\0T', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH'].map((one) =>
      line(one),
    ),
    line('OPTIONS', '*'),
    line('CONNECT', '127.0.0.1:22'),
    line('GET', 'http://evil.example/api/v3/masterchainInfo'),
    line('GET', '//evil.example/api/v3/masterchainInfo'),
    line('GET', '/api/v3/masterchainInfo', 'HTTP/1.0'),
    line('GET', '/api/v3/masterchainInfo', 'HTTP/2.0'),
    line('GET', '/api/v3/masterchainInfo', 'HTTP/9.9'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /\r\n',
    '\r\n\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    header('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA'),
    header('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__'),
    header('Expect: 100-continue'),
    header('Expect: tea'),
    header('Range: bytes=0-1,2-3,4-5'),
    header(`Cookie: ${'a'.repeat(600_000)}`),
    header(Array.from({ length: 5_000 }, (_, at) => `X-${at}: 1`).join('\r\n')),
    header('X-Forwarded-Host: evil.example\r\nX-Forwarded-For: 127.0.0.1\r\nX-Original-URL: /healthz'),
  ];
}
