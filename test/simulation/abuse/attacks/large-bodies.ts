import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { jsonCall } from '../http-call.ts';

const ROUTES = [
  '/api/v3/runGetMethod',
  '/api/v3/estimateFee',
  '/api/v3/message',
  '/api/v2/sendBoc',
  '/api/v2/jsonRPC',
  '/api/v2/getMasterchainInfo',
];

/** Bodies that are announced or turn out to be far larger than any request is, and compressed ones. */
export const largeBodies: Attack = {
  name: 'large bodies',
  holds: 'each is refused with 4xx before it is read whole',
  async run({ server, send, raw, must, accounts }) {
    const host = `Host: ${server.host}:${server.port}\r\n`;
    const chunk = `100000\r\n${'a'.repeat(0x100000)}\r\n`;
    const refused = (status: number | undefined) => status !== undefined && status >= 400 && status < 500;
    for (const path of ROUTES) {
      const head = `POST ${path} HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
      const declared = await raw(`${head}Content-Length: 10000000000\r\n\r\n{`, 2_000);
      must(refused(declared.statuses[0]), `${path}: a body of 10 GB announced: ${declared.statuses[0]}`);
      const chunked = await raw(
        `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(16)}0\r\n\r\n`,
        5_000,
      );
      must(
        chunked.closed || refused(chunked.statuses[0]),
        `${path}: 16 MB in chunks: ${chunked.statuses[0]}`,
      );
      const { status } = await send({ path, body: JSON.stringify({ boc: 'A'.repeat(5_000_000) }) });
      must(status === 0 || refused(status), `${path}: 5 MB: ${status}`);
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000, '['));
    for (const path of ROUTES)
      for (const encoding of ['gzip', 'deflate', 'br', 'identity, gzip'])
        await send({
          path,
          body: bomb,
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        });
    // As large as the limit lets pass, and of nothing but small values.
    const stack = Array.from({ length: 5_000 }, () => ({ type: 'num', value: '1' }));
    await send(jsonCall('/api/v3/runGetMethod', { address: accounts.wallet, method: 'seqno', stack }));
  },
};
