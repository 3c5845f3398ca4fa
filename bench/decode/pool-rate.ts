import { fileURLToPath } from 'node:url';
import type { ChunkRecord, DecodedChunk } from '../../src/engine/decoding/chunk.ts';
import { PooledDecoder } from '../../src/engine/decoding/pooled-decoder.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';
import type { KernelDecoderOptions } from '../../src/projections/records/kernel-decoder.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { blockName } from '../../src/ton/decode/block-error.ts';
import { appendParts } from '../../src/ton/kernel/native-parts.ts';
import { BenchError } from '../common/bench-error.ts';
import type { Job } from './corpus.ts';

const NETWORK = 'bench';
const SCHEMAS = fileURLToPath(new URL('../../schemas/', import.meta.url));
const MODULE = new URL('../../src/projections/records/kernel-decoder.ts', import.meta.url).href;

/** The product's thread pool over the corpus in log form: Avro records in, rows in transferred buffers out. */
export class PoolRate {
  readonly #decoder: PooledDecoder;
  readonly #records: readonly ChunkRecord[];

  private constructor(decoder: PooledDecoder, records: readonly ChunkRecord[]) {
    this.#decoder = decoder;
    this.#records = records;
  }

  static async start(jobs: readonly Job[], workers: number): Promise<PoolRate> {
    const options: KernelDecoderOptions = { schemas: SCHEMAS, network: NETWORK, verify: 'tx', startLts: '0' };
    const onWorkerCrash = (text: string) => process.stderr.write(`${text}\n`);
    const decoder = await PooledDecoder.start({ module: MODULE, options, workers, onWorkerCrash });
    return new PoolRate(decoder, buildRecords(jobs));
  }

  /** Decodes the whole corpus so many times, as the stage does it: some chunks ahead, memory given back. */
  async decode(rounds: number): Promise<void> {
    await this.#run(rounds, (chunk) => chunk.release());
  }

  /** The rows of one round. */
  async columns(): Promise<BaseColumns> {
    const columns = new BaseColumns();
    await this.#run(1, (chunk) => {
      for (const parts of chunk.parts) appendParts(columns, parts);
      chunk.release();
    });
    return columns;
  }

  close(): Promise<void> {
    return this.#decoder.close();
  }

  async #run(rounds: number, take: (chunk: DecodedChunk) => void): Promise<void> {
    const underWay: Promise<DecodedChunk>[] = [];
    const next = async () => {
      const chunk = await underWay.shift();
      const failure = chunk?.outcomes.find((outcome) => 'code' in outcome);
      if (failure) throw new BenchError(`a block of the corpus was refused: ${JSON.stringify(failure)}`);
      if (chunk) take(chunk);
    };
    for (const records of this.#chunks(rounds)) {
      if (underWay.length >= this.#decoder.ahead) await next();
      underWay.push(this.#decoder.decode(records));
    }
    while (underWay.length > 0) await next();
  }

  *#chunks(rounds: number): Generator<readonly ChunkRecord[]> {
    let chunk: ChunkRecord[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round++) {
      for (const record of this.#records) {
        chunk.push(record);
        bytes += record.value.length;
        if (bytes < this.#decoder.chunkBytes) continue;
        yield chunk;
        chunk = [];
        bytes = 0;
      }
    }
    if (chunk.length > 0) yield chunk;
  }
}

function buildRecords(jobs: readonly Job[]): ChunkRecord[] {
  const codec = new AvroCodec(loadSchemas(SCHEMAS));
  return jobs.map(({ bytes, meta }) => {
    const value = codec.encode('raw-block', {
      network: NETWORK,
      workchain: meta.workchain,
      shard: BigInt.asIntN(64, meta.shard),
      seqno: BigInt(meta.seqno),
      root_hash: meta.rootHash,
      file_hash: meta.fileHash,
      mc_seqno: BigInt(meta.mcSeqno),
      boc: bytes,
    });
    return { key: blockName(meta), position: meta.mcSeqno, value };
  });
}
