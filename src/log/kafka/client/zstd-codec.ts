import { promisify } from 'node:util';
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib';
import kafkajs from 'kafkajs';
import { DataError } from '../../../platform/errors/error-kinds.ts';

/** Blocks are mostly hashes: higher levels take time and gain little. */
const LEVEL = 1;

const compress = promisify(zstdCompress);
const decompressZstd = promisify(zstdDecompress);
const decompressGzip = promisify(gunzip);

const MIN_CHUNK = 16 << 10;
const MAX_CHUNK = 8 << 20;

/** Node works in pieces of 16 kB if nothing else is said, and puts thousands of them together. */
const getChunkSize = (expected: number) => Math.min(Math.max(expected, MIN_CHUNK), MAX_CHUNK);

/** Assumed ratio of a batch's size to its compressed size: blocks shrink to about half. */
const GROWTH = 3;

/** Codec numbers of Kafka's record batches. */
const GZIP = 1;
const ZSTD = 4;

/** kafkajs comes without zstd; Node has it. */
export function registerZstd(): void {
  kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
    compress: ({ buffer }: { buffer: Buffer }) =>
      compress(buffer, {
        chunkSize: getChunkSize(buffer.byteLength),
        params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
      }),
    decompress: (buffer: Buffer) => decompressRecords(ZSTD, buffer),
  });
}

/** A record batch was compressed by something that is not read here. */
export class UnknownCodecError extends DataError {
  readonly codec: number;
  constructor(codec: number) {
    super(`record batch: expected no compression, gzip or zstd, found codec ${codec}`);
    this.codec = codec;
  }
}

/** Decompresses the records of a batch, by the codec number of its attributes. */
export async function decompressRecords(codec: number, bytes: Buffer): Promise<Buffer> {
  if (codec === 0) return bytes;
  const chunkSize = getChunkSize(GROWTH * bytes.byteLength);
  if (codec === ZSTD) return decompressZstd(bytes, { chunkSize });
  if (codec === GZIP) return decompressGzip(bytes, { chunkSize });
  throw new UnknownCodecError(codec);
}
