import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBlockHeader } from '../../src/ton/decode/block-header.ts';
import type { BlockMeta } from '../../src/ton/decode/block-meta.ts';
import { BlockError, type DecodeOptions, type VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import type { Kernel } from '../../src/ton/kernel/kernel.ts';
import { BenchError } from '../common/bench-error.ts';
import { note } from '../common/report.ts';
import type { DecodeBenchOptions } from './options.ts';

/** A block that is decoded. */
export interface Job {
  readonly bytes: Uint8Array;
  readonly meta: BlockMeta;
}

export interface Corpus {
  readonly jobs: readonly Job[];
  readonly bytes: number;
  readonly transactions: number;
}

export const decodeOptions = (verify: VerifyLevel): DecodeOptions => ({ verify, oldStatesBelowLt: 0n });

/** The folder's blocks that the options choose; what is no block (states, proofs) is left out, and said. */
export function readCorpus(options: DecodeBenchOptions, kernel: Kernel): Corpus {
  const oldest = options.since === 0 ? 0 : Date.UTC(options.since) / 1000;
  const jobs: Job[] = [];
  let transactions = 0;
  let others = 0;
  for (const path of bocFiles(options)) {
    const found = readBlock(path, kernel);
    if (!found) others++;
    else if (found.genUtime >= oldest && found.transactions >= options.minTransactions) {
      transactions += found.transactions;
      jobs.push(found.job);
    }
  }
  if (others > 0) note(`${others} files are no blocks`);
  if (jobs.length === 0) throw new BenchError(`no blocks in ${options.blocks} that the options choose`);
  return { jobs, bytes: jobs.reduce((sum, job) => sum + job.bytes.length, 0), transactions };
}

function bocFiles({ blocks, match }: DecodeBenchOptions): string[] {
  return readdirSync(blocks, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.boc') && name.includes(match))
    .sort()
    .map((name) => join(blocks, name))
    .filter((path) => statSync(path).isFile());
}

function readBlock(path: string, kernel: Kernel) {
  const bytes = new Uint8Array(readFileSync(path));
  try {
    const { workchain, shard, seqno, rootHash, fileHash, masterRef, genUtime } = readBlockHeader(bytes);
    const meta = { workchain, shard, seqno, rootHash, fileHash, mcSeqno: masterRef?.seqno ?? seqno };
    const { transactions } = kernel.add(bytes, meta, decodeOptions('none'));
    kernel.discard();
    return { job: { bytes, meta }, transactions, genUtime };
  } catch (error) {
    if (error instanceof BlockError) return null;
    throw error;
  }
}
