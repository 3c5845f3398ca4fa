import type { Attack } from '../attack.ts';
import type { Call, Outcome } from '../http-call.ts';

const FOREIGN = [
  'evil.example',
  'evil.example:80',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '169.254.169.254',
];
const ORIGINS = [
  'https://evil.example',
  'http://localhost.evil.example',
  'null',
  'file://',
  'http://127.0.0.1.evil.example',
];
const TYPES = [
  'text/plain',
  'text/html',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'image/svg+xml',
  'a',
  ';',
];

/** Requests that a foreign page makes a browser on this machine send. */
export const foreignOrigins: Attack = {
  name: 'foreign hosts and origins',
  holds: 'foreign names of this host are refused, so are POSTs from foreign pages, and no page is let read',
  async run({ server, send, must, accounts }) {
    const body = JSON.stringify({ address: accounts.wallet, method: 'seqno', stack: [] });
    const post = (headers: Record<string, string>): Call => ({ path: '/api/v3/runGetMethod', body, headers });
    const json = { 'content-type': 'application/json' };
    const refused = ({ status }: Outcome, what: string) =>
      must(status >= 400 && status < 500, `${what}: ${status}`);
    for (const host of FOREIGN) {
      refused(await send({ path: '/api/v3/masterchainInfo', headers: { host } }), `Host ${host}`);
      refused(await send(post({ ...json, host })), `POST with Host ${host}`);
    }
    for (const origin of ORIGINS) {
      refused(await send(post({ ...json, origin })), `POST from ${origin}`);
      const preflight = { origin, 'access-control-request-method': 'POST' };
      for (const outcome of [
        await send({ path: '/api/v3/masterchainInfo', headers: { origin } }),
        await send({ path: '/api/v3/runGetMethod', method: 'OPTIONS', headers: preflight }),
      ])
        must(outcome.headers['access-control-allow-origin'] === undefined, `${origin} may read`);
    }
    for (const type of TYPES) refused(await send(post({ 'content-type': type })), `POST of ${type}`);
    const own = `${server.host}:${server.port}`;
    for (const host of [own, `localhost:${server.port}`]) {
      const { status } = await send({ path: '/api/v3/masterchainInfo', headers: { host } });
      must(status === 200, `Host ${host}: ${status}`);
    }
    const { status } = await send(post({ ...json, origin: `http://${own}` }));
    must(status === 200, `POST from its own page: ${status}`);
  },
};
