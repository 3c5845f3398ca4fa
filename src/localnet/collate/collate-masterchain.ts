import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { numberKey } from '../../ton/cell/key-bits.ts';
import { Trie, type TrieForm } from '../../ton/cell/trie.ts';
import { addMoney, grams, NO_MONEY } from '../../ton/currencies/money.ts';
import { type FeesCreatedSum, feesCreatedExtra } from '../../ton/store/augmentations.ts';
import { storeCurrencies } from '../../ton/store/store-currencies.ts';
import { shardHashes } from '../../ton/store/store-shard-hashes.ts';
import type { TopBlock } from '../../ton/tlb/block/shard-hashes.ts';
import { type ChainConfig, readChainConfig, withParam } from '../ledger/chain-config.ts';
import { type ChainState, lastKeySeqno } from '../ledger/chain-state.ts';
import { republish } from '../ledger/libraries.ts';
import { type MasterchainExtra, masterchainExtraCell, type OldBlock } from '../ledger/masterchain-extra.ts';
import type { ShardLedger } from '../ledger/shard-ledger.ts';
import { nextGroup, validatorInfoAfter } from '../validator/validator-group.ts';
import { nextRound } from '../validator/validator-rounds.ts';
import { BlockDraft } from './block-draft.ts';
import { type CollatedBlock, nextStartLt, takeExternals } from './collate-shard.ts';
import type { ExternalMessage } from './external-message.ts';
import { broughtBy, type FinishedBlock, finishBlock } from './finish-block.ts';
import type { Intervention } from './intervene/intervention.ts';
import type { Pieces } from './pieces.ts';
import type { StepContext } from './step-context.ts';

/** A change of a configuration parameter; null takes it out. */
export interface ConfigChange {
  readonly param: number;
  readonly cell: Cell | null;
}

export interface MasterchainJob {
  /** The shards after this step, and the blocks that the step made. */
  readonly shards: readonly ShardLedger[];
  readonly made: readonly FinishedBlock[];
  readonly tops: readonly TopBlock[];
  readonly externals: readonly ExternalMessage[];
  readonly interventions: readonly Intervention[];
  readonly configChanges: readonly ConfigChange[];
}

/** Makes the masterchain block of a step, which commits the shard blocks of the step. */
export function* collateMasterchain(
  context: StepContext,
  job: MasterchainJob,
): Pieces<CollatedBlock & { readonly extra: MasterchainExtra }> {
  const { chain, utime } = context;
  const ledger = chain.masterchain;
  const startLt = nextStartLt(ledger.endLt, ...job.shards.map(({ endLt }) => endLt));
  const randomSeed = context.enter(ledger);
  const draft = new BlockDraft({
    ledger,
    emulator: context.emulator,
    startLt,
    limit: context.limit,
    gasLimit: context.gasLimits.masterchain,
    withMetadata: context.withMetadata,
    direct: context.direct,
    isKnown: context.isKnown,
    mcSeqno: ledger.block.seqno + 1,
  });
  yield* draft.intervene(job.interventions);
  yield* runSpecial(draft, chain, 'tick');
  draft.dequeue(job.shards);
  yield* draft.importQueued(job.shards);
  const outcome = yield* takeExternals(draft, job.externals);
  yield* draft.deliverFresh();
  yield* runSpecial(draft, chain, 'tock');
  yield* draft.deliverFresh();
  const frame = masterchainFrame(draft, context, job);
  const finished = finishBlock(draft, {
    utime,
    randomSeed,
    createdBy: context.creator,
    version: chain.extra.config.version,
    masterRef: null,
    prevKeyBlockSeqno: lastKeySeqno(chain),
    group: nextGroup(chain.extra.config.validators, chain.extra.validatorInfo),
    beforeSplit: false,
    afterSplit: false,
    created: chain.extra.config.blockFees.masterchain,
    masterchain: frame,
  });
  return { finished, ...outcome, extra: frame.extra };
}

function* runSpecial(draft: BlockDraft, { extra }: ChainState, which: 'tick' | 'tock'): Pieces<void> {
  for (const address of extra.config.fundamental) {
    if (!draft.run.accounts.get(address)?.special?.[which]) continue;
    draft.special({ workchain: -1, address }, which);
    yield;
  }
}

function masterchainFrame(draft: BlockDraft, { chain, utime }: StepContext, job: MasterchainJob) {
  const { ledger } = draft;
  const before = chain.extra;
  const { validators } = before.config;
  const round = validators ? nextRound(validators.set, utime) : [];
  const config = changedConfig(before.config, [...round, ...job.configChanges]);
  const feesImported = addMoney(NO_MONEY, ...job.made.map(({ feesCollected }) => feesCollected));
  const createdInShards = addMoney(NO_MONEY, ...job.made.map(({ created }) => created));
  const { burn, blockFees } = before.config;
  const part = (amount: bigint) => (amount * burn.num) / burn.denom;
  const burned = part(feesImported.grams - createdInShards.grams) + part(ownFees(draft));
  const isKey = config !== before.config || ledger.block.seqno === 0;
  const created = blockFees.masterchain + createdInShards.grams;
  const minted = job.made.reduce((sum, block) => sum + block.minted.grams, draft.minted);
  const extra: MasterchainExtra = {
    tops: job.tops,
    config,
    oldBlocks: before.oldBlocks.set(numberKey(ledger.block.seqno, 32), blockBefore(chain)),
    afterKeyBlock: isKey,
    lastKeyBlock: before.afterKeyBlock && ledger.block.seqno > 0 ? ledger.block : before.lastKeyBlock,
    globalBalance: addMoney(before.globalBalance, grams(created + minted - burned)),
    validatorInfo: validatorInfoAfter(before.validatorInfo, config.validators, {
      isKey,
      utime,
      previousUtime: ledger.utime,
    }),
  };
  return {
    isKey,
    feesImported,
    burned,
    libraries: publishedLibraries(draft),
    extra,
    stateExtra: masterchainExtraCell(extra),
    blockExtra: blockExtraCell(isKey, job, extra.config),
  };
}

/** Fees paid by transactions and messages of the block itself. */
function ownFees(draft: BlockDraft): bigint {
  let fees = draft.inMsgs.extra().fees;
  for (const { transactions } of draft.records.values())
    for (const transaction of transactions) fees += transaction.fees.grams;
  return fees;
}

function blockBefore({ masterchain, extra }: ChainState): OldBlock {
  return { ...masterchain.block, isKey: extra.afterKeyBlock };
}

/** @throws LocalnetError, CellError no block can be made after them */
export function changedConfig(config: ChainConfig, changes: readonly ConfigChange[]): ChainConfig {
  if (changes.length === 0) return config;
  return readChainConfig(
    changes.reduce((dict, { param, cell }) => withParam(dict, param, cell), config.dict),
  );
}

function publishedLibraries(draft: BlockDraft): ShardLedger['libraries'] {
  let { libraries } = draft.ledger;
  for (const { address, transactions } of draft.records.values()) {
    const before = transactions[0]!.before?.libraries ?? new Map<string, Cell>();
    const after = transactions.at(-1)!.after?.libraries ?? new Map<string, Cell>();
    libraries = republish(libraries, address, before, after);
  }
  return libraries;
}

// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
const SHARD_FEES: TrieForm<FeesCreatedSum, FeesCreatedSum> = {
  keyBits: 96,
  store: (builder, { fees, create }) => builder.with(storeCurrencies, fees).with(storeCurrencies, create),
  extra: feesCreatedExtra((value) => value),
};

// masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
//   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair)
//      recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
//   config:key_block?ConfigParams = McBlockExtra;
function blockExtraCell(isKey: boolean, { made, tops }: MasterchainJob, config: ChainConfig): Cell {
  let fees = Trie.empty(SHARD_FEES);
  for (const block of made) {
    const { ledger, feesCollected } = block;
    const { workchain, shard } = ledger.ident;
    const key = numberKey((BigInt.asUintN(32, BigInt(workchain)) << 64n) | shard, 96);
    fees = fees.set(key, { fees: feesCollected, create: broughtBy(block) });
  }
  const builder = new CellBuilder().uint(0xcca5, 16).bit(isKey).maybeRef(shardHashes(tops));
  fees.store(builder);
  builder.ref(new CellBuilder().bit(false).bit(false).bit(false).cell());
  if (isKey) builder.bytes(config.configAddress).ref(config.dict.root()!);
  return builder.cell();
}
