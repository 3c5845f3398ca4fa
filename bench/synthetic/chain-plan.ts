import type { LogIdentity } from '../../src/log/port.ts';
import type { RealBlock } from './real-blocks.ts';

/** A block of the synthetic chain: a real one, moved. */
export interface PlannedBlock {
  readonly real: RealBlock;
  /** Number of its copy of the real blocks, from 0. */
  readonly copy: number;
  readonly mcSeqno: number;
  /** Added to every lt that the block states. */
  readonly ltShift: bigint;
  /** Added to every time. */
  readonly timeShift: number;
  /** Added to the seqno of the block and of the ones before it. */
  readonly seqnoShift: number;
}

/** A chain made of copies of real blocks: one shard block and one masterchain block a step. */
export interface ChainPlan {
  readonly steps: number;
  readonly copies: number;
  readonly transactions: number;
  readonly blocks: number;
  /** Bytes of all blocks as the log takes them. */
  readonly bytes: number;
  readonly identity: LogIdentity;
  readonly realBlocks: readonly RealBlock[];
  /** The blocks of a step, the shard block first; steps are numbered from 1. */
  step(mcSeqno: number): readonly PlannedBlock[];
}

/** 2026-01-01; every lt and time of the real blocks is below, so that shifts are positive. */
const START_TIME = 1_767_225_600;
const START_LT = 100_000_000_000_000n;
const STEP_SECONDS = 3;
const LANES = 8;

/** Plans at least `transactions` transactions in whole copies, spread over `epochs` epochs. */
export function planChain(
  real: { readonly shard: readonly RealBlock[]; readonly masterchain: readonly RealBlock[] },
  transactions: number,
  epochs: number,
  network: string,
): ChainPlan {
  const { shard, masterchain } = real;
  const pairs = shard.map((block, i) => [block, masterchain[i % masterchain.length] as RealBlock] as const);
  const perCopy = sum(pairs.flat().map((block) => block.transactions));
  const copies = Math.ceil(transactions / perCopy);
  const steps = copies * pairs.length;
  const ltPerStep = stepLt(pairs.flat());
  return {
    steps,
    copies,
    transactions: copies * perCopy,
    blocks: steps * 2,
    bytes: copies * sum(pairs.flat().map(({ boc }) => boc.length)),
    realBlocks: [...new Set(pairs.flat())],
    identity: {
      network,
      id: `synthetic:${network}`,
      epochSize: Math.max(1, Math.floor(steps / epochs)),
      lanes: LANES,
      facts: { continuity: 'chain', global_id: '-239', start_lt: '0' },
    },
    step(mcSeqno) {
      const index = mcSeqno - 1;
      const copy = Math.floor(index / pairs.length);
      const lt = START_LT + BigInt(mcSeqno) * ltPerStep;
      const time = START_TIME + mcSeqno * STEP_SECONDS;
      return (pairs[index % pairs.length] ?? []).map((block) => ({
        real: block,
        copy,
        mcSeqno,
        ltShift: lt - block.header.startLt,
        timeShift: time - block.header.genUtime,
        seqnoShift: mcSeqno - block.header.seqno,
      }));
    },
  };
}

/** More lt than any of the blocks spans, so that steps do not overlap. */
function stepLt(blocks: readonly RealBlock[]): bigint {
  let longest = 0n;
  for (const { header } of blocks) {
    const span = header.endLt - header.startLt;
    if (span > longest) longest = span;
  }
  return (longest / 1_000_000n + 1n) * 1_000_000n;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
