import { numberKey } from '../../ton/cell/key-bits.ts';
import { Trie } from '../../ton/cell/trie.ts';
import { grams, type Money } from '../../ton/currencies/money.ts';
import type { ShardIdent } from '../../ton/tlb/shard-ident.ts';
import { childShards } from '../../ton/tlb/shard-ident.ts';
import type { RefusedMessage } from '../../tvm/emulator.ts';
import { lastKeySeqno } from '../ledger/chain-state.ts';
import { OUT_QUEUE } from '../ledger/queued-message.ts';
import { type ShardLedger, shardText } from '../ledger/shard-ledger.ts';
import { LocalnetError } from '../localnet-error.ts';
import { BlockDraft } from './block-draft.ts';
import type { ExternalMessage } from './external-message.ts';
import { type FinishedBlock, finishBlock } from './finish-block.ts';
import type { Intervention } from './intervene/intervention.ts';
import type { Pieces } from './pieces.ts';
import type { StepContext } from './step-context.ts';

/** Lts of a block begin at the next multiple of this above all that it builds on. */
const LT_ALIGN = 1_000_000n;

/** The first lt of a block that builds on what ended at these lts. */
export function nextStartLt(...ends: readonly bigint[]): bigint {
  const highest = ends.reduce((a, b) => (a > b ? a : b), 0n);
  return (highest / LT_ALIGN + 1n) * LT_ALIGN;
}

/** A shard as its next block begins with it. */
export interface OpenShard {
  readonly ledger: ShardLedger;
  readonly afterSplit: boolean;
}

/** The shards that have the next blocks: a shard whose last block said `before_split` is two. */
export function openShards(shards: readonly ShardLedger[]): OpenShard[] {
  return shards.flatMap((ledger): OpenShard[] =>
    ledger.beforeSplit
      ? childShards(ledger.ident.shard).map((shard, i) => ({
          ledger: half(ledger, shard, i),
          afterSplit: true,
        }))
      : [{ ledger, afterSplit: false }],
  );
}

/** One half of a shard: its accounts, and half of the fees that wait for validators. Queues are empty at a split. */
function half(parent: ShardLedger, shard: bigint, index: number): ShardLedger {
  if (parent.queue.size > 0)
    throw new LocalnetError(
      `split of ${shardText(parent.ident)}`,
      'an empty queue',
      `${parent.queue.size} messages`,
    );
  const prefixBits = parent.ident.prefixBits + 1;
  const ident: ShardIdent = { workchain: parent.ident.workchain, shard, prefixBits };
  const fees = parent.validatorFees.grams;
  const validatorFees: Money = grams(index === 0 ? fees / 2n : fees - fees / 2n);
  const prefix = new Uint8Array(32);
  prefix.set(numberKey(shard, 64), 0);
  return {
    ...parent,
    ident,
    beforeSplit: false,
    accounts: parent.accounts.under(prefix, prefixBits),
    queue: Trie.empty(OUT_QUEUE),
    processed: parent.processed && { ...parent.processed, shard },
    validatorFees,
  };
}

/** Input of a shard block. */
export interface ShardJob {
  readonly open: OpenShard;
  readonly beforeSplit: boolean;
  readonly externals: readonly ExternalMessage[];
  readonly interventions: readonly Intervention[];
}

/** A shard block, and what became of the external messages. */
export interface CollatedBlock {
  readonly finished: FinishedBlock;
  readonly refused: readonly { readonly message: ExternalMessage; readonly reason: RefusedMessage }[];
  /** Those for which there was no room. */
  readonly waiting: readonly ExternalMessage[];
}

/** Makes the next block of a shard upon the chain as it was after the last masterchain step. */
export function* collateShard(context: StepContext, job: ShardJob): Pieces<CollatedBlock> {
  const { chain, utime } = context;
  const { ledger, afterSplit } = job.open;
  const masterRef = chain.masterchain.block;
  const startLt = nextStartLt(ledger.endLt, masterRef.endLt);
  const randomSeed = context.enter(ledger);
  const { version, blockFees } = chain.extra.config;
  const draft = new BlockDraft({
    ledger,
    emulator: context.emulator,
    startLt,
    limit: context.limit,
    gasLimit: context.gasLimits.basechain,
    withMetadata: context.withMetadata,
    direct: context.direct,
    isKnown: context.isKnown,
    mcSeqno: masterRef.seqno,
  });
  const others = [
    chain.masterchain,
    ...chain.shards.filter((shard) => shard.ident.shard !== ledger.ident.shard),
  ];
  yield* draft.intervene(job.interventions);
  draft.dequeue(others);
  yield* draft.importQueued(others);
  const outcome = yield* takeExternals(draft, job.externals);
  yield* draft.deliverFresh();
  const finished = finishBlock(draft, {
    utime,
    randomSeed,
    createdBy: context.creator,
    version,
    masterRef,
    prevKeyBlockSeqno: lastKeySeqno(chain),
    group: null,
    beforeSplit: job.beforeSplit,
    afterSplit,
    created: blockFees.basechain >> BigInt(ledger.ident.prefixBits),
    masterchain: null,
  });
  return { finished, ...outcome };
}

/** Executes external messages while there is room, one a piece. */
export function* takeExternals(
  draft: BlockDraft,
  externals: readonly ExternalMessage[],
): Pieces<Omit<CollatedBlock, 'finished'>> {
  const refused: { message: ExternalMessage; reason: RefusedMessage }[] = [];
  for (const [i, message] of externals.entries()) {
    if (!draft.hasRoom) return { refused, waiting: externals.slice(i) };
    const reason = draft.external(message);
    if (reason) refused.push({ message, reason });
    yield;
  }
  return { refused, waiting: [] };
}
