/** A thread of the pool: loads the module that decodes and answers chunk after chunk. */
import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../platform/threads/serve-jobs.ts';
import type { DecodeRecords } from './chunk.ts';
import { type DecodeAnswer, type DecodeJob, unpackRecords } from './decode-job.ts';

/** Options of a thread. */
export interface DecodeWorkerData {
  /** Address of a module with the export `createDecoder`. */
  readonly module: string;
  /** Passed unchanged. */
  readonly options: unknown;
}

/** Export of such a module. */
export interface DecoderModule {
  createDecoder(options: unknown): Promise<DecodeRecords>;
}

const { module, options } = workerData as DecodeWorkerData;
const { createDecoder } = (await import(module)) as DecoderModule;
const decode = await createDecoder(options);

serveJobs<DecodeJob, DecodeAnswer>((job) => {
  const { outcomes, parts } = decode(unpackRecords(job), job.spare);
  const answer = { input: job.input, outcomes, parts };
  return { answer, transfer: [job.input, parts.buffer, parts.sizes.buffer] };
});
