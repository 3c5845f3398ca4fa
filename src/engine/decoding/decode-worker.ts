/** A thread that decodes: loads the modules of decoders and answers chunk after chunk. */
import { serveJobs } from '../../platform/threads/serve-jobs.ts';
import type { DecodeRecords } from './chunk.ts';
import { type DecodeAnswer, type DecodeJob, unpackRecords } from './decode-job.ts';

/** What a thread makes a decoder of. */
export interface DecoderSource {
  /** Address of a module with the export `createDecoder`. */
  readonly module: string;
  /** Passed unchanged. */
  readonly options: unknown;
}

/** Export of such a module. */
export interface DecoderModule {
  createDecoder(options: unknown): Promise<DecodeRecords>;
}

const decoders = new Map<number, DecodeRecords>();

serveJobs<DecodeJob, DecodeAnswer>(
  (job) => {
    const decode = decoders.get(job.decoder);
    if (!decode) throw new RangeError(`decoder ${job.decoder} is not loaded`);
    const { outcomes, parts } = decode(unpackRecords(job), job.spare, job.share);
    const answer = { input: job.input, outcomes, parts };
    return { answer, transfer: [job.input, parts.buffer, parts.sizes.buffer] };
  },
  {
    make: async ({ key, data }) => {
      const { module, options } = data as DecoderSource;
      const { createDecoder } = (await import(module)) as DecoderModule;
      decoders.set(key, await createDecoder(options));
    },
    forget: (key) => void decoders.delete(key),
  },
);
