import type { FutureSplitMerge } from '../../ton/tlb/block/future-split-merge.ts';
import type { TopBlock } from '../../ton/tlb/block/shard-hashes.ts';
import type { ShardIdent } from '../../ton/tlb/shard-ident.ts';
import type { Emulator, RefusedMessage } from '../../tvm/emulator.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import { compareLtHash } from '../ledger/queued-message.ts';
import { contains } from '../ledger/routing.ts';
import type { ShardLedger } from '../ledger/shard-ledger.ts';
import type { IsKnown } from './block-draft.ts';
import { type ConfigChange, collateMasterchain } from './collate-masterchain.ts';
import { collateShard, type OpenShard, openShards } from './collate-shard.ts';
import type { ExternalMessage } from './external-message.ts';
import { broughtBy, type FinishedBlock } from './finish-block.ts';
import type { Intervention } from './intervene/intervention.ts';
import type { Pieces } from './pieces.ts';
import { StepContext } from './step-context.ts';

export interface StepOrder {
  readonly seed: string;
  readonly utime: number;
  /** Transactions of a block; 0 for blocks without any but ticks and tocks. */
  readonly limit: number;
  /** The shards that the basechain is to have; until it has them they are split, one level a step. */
  readonly targetShards: readonly bigint[];
  readonly externals: readonly ExternalMessage[];
  readonly configChanges: readonly ConfigChange[];
  /** Done before the messages, in this order. Default none. They wait while shards are split. */
  readonly interventions?: readonly Intervention[];
  /** Gas limit of a block, where below parameters 22 and 23. Default: the parameters. */
  readonly gasLimit?: number;
  /** Transactions that need no TVM are made without it, and are the same. Default false. */
  readonly isDirect?: boolean;
  /** Messages to other accounts wait. It may not change while the step is made. Default: all accounts are known. */
  readonly isKnown?: IsKnown;
  /** Each shard makes a block, also without any work, as validators do. Default false. */
  readonly everyShard?: boolean;
}

/** One masterchain step. */
export interface CollatedStep {
  readonly chain: ChainState;
  /** Shard blocks, then the masterchain block. */
  readonly blocks: readonly FinishedBlock[];
  readonly refused: readonly { readonly message: ExternalMessage; readonly reason: RefusedMessage }[];
  /** External messages for which there was no room. */
  readonly waiting: readonly ExternalMessage[];
  /** Whether the interventions were done. */
  readonly hasIntervened: boolean;
}

/** Whether the basechain has the shards that it is to have. */
export function isSettledShards({ shards }: ChainState, target: readonly bigint[]): boolean {
  return shards.length === target.length && shards.every(({ beforeSplit }) => !beforeSplit);
}

/**
 * Makes one masterchain step, a transaction or the frame of a block at a time. The same chain and order give the same blocks, byte for byte,
 * as long as nobody else uses the emulator meanwhile.
 */
export function* collateStep(chain: ChainState, emulator: Emulator, order: StepOrder): Pieces<CollatedStep> {
  const { targetShards, configChanges } = order;
  const splitting = !isSettledShards(chain, targetShards);
  const externals = splitting ? [] : order.externals;
  const interventions = splitting ? [] : (order.interventions ?? []);
  const limit = splitting ? 0 : order.limit;
  const context = new StepContext(chain, emulator, { ...order, limit });
  const made: FinishedBlock[] = [];
  const refused: CollatedStep['refused'][number][] = [];
  const waiting: ExternalMessage[] = splitting ? [...order.externals] : [];
  const shards: ShardLedger[] = [];
  for (const open of openShards(chain.shards)) {
    const own = externals.filter(({ dest }) => contains(open.ledger.ident, dest));
    const changes = interventions.filter(({ account }) => contains(open.ledger.ident, account));
    const beforeSplit = !targetShards.includes(open.ledger.ident.shard);
    const given = own.length + changes.length;
    if (!order.everyShard && !beforeSplit && given === 0 && !hasWork(open, chain)) {
      shards.push(open.ledger);
      continue;
    }
    const result = yield* collateShard(context, {
      open,
      beforeSplit,
      externals: own,
      interventions: changes,
    });
    made.push(result.finished);
    refused.push(...result.refused);
    waiting.push(...result.waiting);
    shards.push(result.finished.ledger);
    yield;
  }
  const tops = shards.map((shard) => buildTop(shard, made, chain, order.utime));
  const own = externals.filter(({ dest }) => dest.workchain === -1);
  const changes = interventions.filter(({ account }) => account.workchain === -1);
  const masterJob = { shards, made, tops, externals: own, configChanges, interventions: changes };
  const master = yield* collateMasterchain(context, masterJob);
  refused.push(...master.refused);
  waiting.push(...master.waiting);
  return {
    chain: { masterchain: master.finished.ledger, extra: master.extra, shards },
    blocks: [...made, master.finished],
    refused,
    waiting,
    hasIntervened: !splitting,
  };
}

/** Whether a shard has anything to do: without it makes no block, and the masterchain names the last one again. */
function hasWork({ ledger, afterSplit }: OpenShard, { masterchain, shards }: ChainState): boolean {
  if (afterSplit) return true;
  const others = [masterchain, ...shards.filter(({ ident }) => ident.shard !== ledger.ident.shard)];
  const waits = (queue: ShardLedger['queue'], ident: ShardIdent, processed: ShardLedger['processed']) => {
    for (const [, { message }] of queue.entries()) {
      if (!contains(ident, message.dest)) continue;
      if (!processed || compareLtHash(message.createdLt, message.hash, processed.lt, processed.hash) > 0)
        return true;
    }
    return false;
  };
  if (ledger.queue.size > 0) return true;
  return others.some(({ queue }) => waits(queue, ledger.ident, ledger.processed));
}

const NO_CHANGE: FutureSplitMerge = { kind: 'none' };
/** Longest time of a split. The next block says `before_split`, so that it takes no time. */
const SPLIT_INTERVAL = 1000;

/** Description of a shard's newest block in the masterchain block; unchanged where the step made none. */
function buildTop(
  { ident, block, beforeSplit, minRefMcSeqno, utime: genUtime }: ShardLedger,
  made: readonly FinishedBlock[],
  { masterchain, extra }: ChainState,
  utime: number,
): TopBlock {
  const { workchain, shard } = ident;
  const finished = made.find(({ ledger }) => ledger.ident.shard === shard);
  const known = extra.tops.find((top) => top.shard === shard);
  if (!finished && known) return known;
  const splitMergeAt: FutureSplitMerge = beforeSplit
    ? { kind: 'split', utime, interval: SPLIT_INTERVAL }
    : NO_CHANGE;
  return {
    workchain,
    shard,
    descr: {
      ...block,
      regMcSeqno: masterchain.block.seqno + 1,
      startLt: finished!.startLt,
      beforeSplit,
      beforeMerge: false,
      wantSplit: false,
      wantMerge: false,
      nxCcUpdated: false,
      nextCatchainSeqno: 0,
      nextValidatorShard: shard,
      minRefMcSeqno,
      genUtime,
      splitMergeAt,
      feesCollected: { ...finished!.feesCollected, extra: [], extraRoot: -1 },
      fundsCreated: { ...broughtBy(finished!), extra: [], extraRoot: -1 },
    },
  };
}
