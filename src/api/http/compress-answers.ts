import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addVary } from './vary.ts';

/** A shorter answer fits into a packet or two. */
const MIN_BYTES = 1_024;
/** Bytes that are compressed at the same time; answers beyond it are sent uncompressed. */
const MAX_BYTES_AT_ONCE = 64 * 1024 ** 2;
const TYPES = /^(application\/(json|javascript)|text\/)/;

type Encoding = 'zstd' | 'gzip';
type Compress = (bytes: string | Uint8Array) => Promise<Buffer>;

/** Fast levels: answers are made for one request, and the network is seldom slower than a better level. */
const COMPRESS: Readonly<Record<Encoding, Compress>> = {
  zstd: (bytes) => zstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (bytes) => deflate(bytes, { level: 4 }),
};
const zstd = promisify(zstdCompress);
const deflate = promisify(gzip);

/** Compresses long answers in an encoding that the client accepts, on other threads. */
export function compressAnswers(app: FastifyInstance): void {
  let bytesAtOnce = 0;
  const compress = async (reply: FastifyReply, payload: string | Uint8Array, encoding: Encoding) => {
    const { length } = payload;
    bytesAtOnce += length;
    try {
      const body = await COMPRESS[encoding](payload);
      reply.header('Content-Encoding', encoding).header('Content-Length', body.length);
      return body;
    } finally {
      bytesAtOnce -= length;
    }
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || payload instanceof Uint8Array;
    if (!isText || !isCompressible(reply, payload.length)) {
      done();
      return;
    }
    addVary(reply, 'Accept-Encoding');
    const encoding = parseEncoding(request.headers['accept-encoding']?.toString());
    if (encoding === null || bytesAtOnce + payload.length > MAX_BYTES_AT_ONCE) done();
    else compress(reply, payload, encoding).then((body) => done(null, body), done);
  });
}

function isCompressible(reply: FastifyReply, bytes: number): boolean {
  if (bytes < MIN_BYTES || reply.hasHeader('content-encoding')) return false;
  return TYPES.test(String(reply.getHeader('content-type') ?? ''));
}

/** The encoding that a client takes (RFC 9110, 12.5.3), zstd before gzip; null for neither. */
export function parseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = new Map(accepted.split(',').map(parseWeight));
  const takes = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (takes('zstd')) return 'zstd';
  return takes('gzip') ? 'gzip' : null;
}

function parseWeight(item: string): readonly [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((one) => one.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
